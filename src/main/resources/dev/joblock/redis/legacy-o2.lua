-- Beside the record, the hash KEYS[2] is a hand-written lock: one field that holds when it was written, free once it is
-- older than its time-out. The record's field 'legacy' says what we wrote and with which time-out.
-- ARGV, at the end: field, time-out (0: not known), max hold. Says the same as LegacyO2 in Java.
local FIELD, TIMEOUT, HOLD = ARGV[#ARGV - 2], num(ARGV[#ARGV - 1]), num(ARGV[#ARGV])
local old_fields = redis.call('HGETALL', KEYS[2])
local old
for i = 1, #old_fields, 2 do if old_fields[i] == FIELD then old = old_fields[i + 1] end end
local written, written_timeout = string.match(text('legacy'), '^(%d+) (%d+)$')

local function outsider(rule, scheduled)
  if not old then
    if #old_fields > 0 then return { 'strange', 'field', KEYS[2], FIELD } end
    return nil
  end
  if old == written then return nil end
  if not string.match(old, '^%d+$') or #old > 15 then return { 'strange', 'field', KEYS[2], FIELD } end
  local since = num(old)
  local ends = since + (TIMEOUT > 0 and TIMEOUT or HOLD)
  if now > ends then return nil end
  -- Its nodes write it by the clock that fired the slot: it is this slot that it was written for.
  if rule == 'slot' and since >= scheduled then return { 'legacy', 'TAKEN', KEYS[2], old, '' } end
  return { 'legacy', 'HELD', KEYS[2], old, str(ends) }
end

-- As old as it must be to be free when our lease ends, but never older than now: the time-out may be wrong.
local function write_old(ends, timeout)
  local value = math.max(now, ends - timeout)
  redis.call('HSET', KEYS[2], FIELD, str(value))
  redis.call('PEXPIRE', KEYS[2], str(math.max(1, value + timeout - now)))
  put('legacy', str(value) .. ' ' .. str(timeout))
end

local function take(nonce, lease) write_old(now + lease, TIMEOUT) end
local function keep(lease)
  if written and (not old or old == written) then write_old(now + lease, num(written_timeout)) end
end
local function free()
  if running and old and old == written then redis.call('HDEL', KEYS[2], FIELD) end
end
