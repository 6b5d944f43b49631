-- ARGV: nonce, lease
if not ours or text('owner') ~= ARGV[1] or not live() then return '0' end
keep(num(ARGV[2]))
put('until', str(now + num(ARGV[2])))
put('lease', ARGV[2])
write()
return '1'
