-- ARGV: nonce
local done = unclaim(ARGV[1])
write()
return done and '1' or '0'
