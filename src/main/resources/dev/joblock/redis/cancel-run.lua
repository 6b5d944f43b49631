-- ARGV: nonce
local done = unclaim(ARGV[1])
if ours then
  put('x:' .. ARGV[1], str(now + TOMBSTONE_LIFE))
  if not next(record) then put('v', '1') end
end
write()
return done and '1' or '0'
