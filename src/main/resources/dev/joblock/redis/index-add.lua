-- KEYS: a sorted set. ARGV: how long it lives in ms, how many members it may have, the oldest score it may keep, how many
-- members are named at the most; then score and member in turns. Answers the oldest of those that are over; they stay.
for i = 5, #ARGV, 1000 do redis.call('ZADD', KEYS[1], unpack(ARGV, i, math.min(i + 999, #ARGV))) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[2])
if over > 0 then return redis.call('ZRANGE', KEYS[1], 0, math.min(over, tonumber(ARGV[4])) - 1) end
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[3], 'LIMIT', 0, ARGV[4])
