-- Beside the record, the hash KEYS[2] is a hand-written lock: a status and a time, held while the status is true, free
-- once the time is older than the interval less a sixtieth. KEYS[3], if given, is a hash that holds the interval in minutes.
-- The record's field 'legacy' says: the time we wrote, from when the interval counts, and both as they were before.
-- ARGV, at the end: status field, time field, interval (ms; 0: none), interval's field, max hold. Says the same as LegacyO4.
local STATUS, TIME, INTERVAL = ARGV[#ARGV - 4], ARGV[#ARGV - 3], num(ARGV[#ARGV - 2])
local INTERVAL_FIELD, HOLD = ARGV[#ARGV - 1], num(ARGV[#ARGV])
local old_fields = redis.call('HGETALL', KEYS[2])
local old = {}
for i = 1, #old_fields, 2 do old[old_fields[i]] = old_fields[i + 1] end
local status, time = old[STATUS], old[TIME]
local written, base, before, before_base = string.match(text('legacy'), '^(%d+) (%d+) (%d+) (%d+)$')
local mine = written ~= nil and time == written
local since = num(time)
if mine then base = num(base) else base = since end

local function interval()
  local minutes = KEYS[3] and redis.call('HGET', KEYS[3], INTERVAL_FIELD)
  if minutes and #minutes <= 9 and string.match(minutes, '^%d+%.?%d*$') then
    return math.floor(tonumber(minutes) * 60000 + 0.5)
  end
  return INTERVAL
end

-- What denies; or nothing, and since when a holder has not been heard of.
local function outsider(rule, scheduled)
  if #old_fields > 0 and status ~= 'true' and status ~= 'false' then return { 'strange', 'field', KEYS[2], STATUS } end
  if time and (not string.match(time, '^%d+$') or #time > 15) then return { 'strange', 'field', KEYS[2], TIME } end
  local this_slot = not mine and rule == 'slot' and since >= scheduled and since <= now + CLOCK_SLACK
  if status == 'true' and not mine then
    if now > since + HOLD then return nil, since end
    if this_slot then return { 'legacy', 'TAKEN', KEYS[2], str(since), '' } end
    return { 'legacy', 'HELD', KEYS[2], str(since), str(since + HOLD) }
  end
  if rule == 'exclusive' or rule == 'owed' then return nil end
  -- Its last run ended after this slot was due: it was this one, or kept it from its turn.
  if this_slot then return { 'legacy', 'PASSED', KEYS[2], str(since), '' } end
  local length = interval()
  if length <= 0 then return { 'strange', 'interval', KEYS[3] or '', INTERVAL_FIELD } end
  if base <= now + CLOCK_SLACK and 60 * (now - base) <= 59 * length then
    return { 'legacy', 'TOO_SOON', KEYS[2], str(base), str(base + length) }
  end
end

local function write_old(value, at)
  redis.call('HSET', KEYS[2], STATUS, value, TIME, str(at))
end
local function remember(at, from, at_before, from_before)
  put('legacy', str(at) .. ' ' .. str(from) .. ' ' .. str(at_before) .. ' ' .. str(from_before))
end

-- A manual run, and one of an owed slot, moves no interval.
local function take(nonce, lease, rule, scheduled)
  local from = base
  if rule == 'slot' then from = math.min(scheduled, now) elseif rule ~= 'exclusive' and rule ~= 'owed' then from = now end
  -- Where the two are equal, the time is taken not to be ours.
  local base_before = mine and base == since and base - 1 or base
  remember(now, from, since, base_before)
  write_old('true', now)
end

-- An old holder that was given up may come back and free it.
local function keep()
  if written and status == 'false' then
    local from = string.match(text('legacy'), '^%d+ (%d+)')
    remember(now, num(from), num(before), num(before_base))
    write_old('true', now)
  end
end

local function free(nonce, ended)
  if not running or not mine or status ~= 'true' then return end
  local rule = text('rule')
  if ended and rule ~= 'exclusive' and rule ~= 'owed' then
    remember(now, base, now, base)
    write_old('false', now)
  else
    if before == before_base then put('legacy', '') else remember(num(before), num(before_base), num(before), num(before_base)) end
    write_old('false', num(before))
  end
end
