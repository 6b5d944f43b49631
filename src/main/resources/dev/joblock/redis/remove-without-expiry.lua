-- ARGV: value
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('PTTL', KEYS[1]) ~= -1 then return '0' end
redis.call('DEL', KEYS[1])
return '1'
