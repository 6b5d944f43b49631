-- The record of a lock and what may be written to it. Says the same as LockRecord, Mark, Words and Retention in Java.
local KEPT, TOMBSTONE_LIFE, CLOCK_SLACK = 2592000000, 600000, 1000
local flat = redis.call('HGETALL', KEYS[1])
local record, set, removed = {}, {}, {}
for i = 1, #flat, 2 do record[flat[i]] = flat[i + 1] end

local function str(n) return string.format('%.0f', n) end
local function num(s) if s and string.match(s, '^%-?%d+$') then return tonumber(s) end return 0 end
local function text(field) return record[field] or '' end

local function word(s)
  if s == '' then return '%' end
  return (string.gsub(s, '[%c %%]', function(c) return string.format('%%%02x', string.byte(c)) end))
end

local function mark(s)
  if not s then return nil end
  local a, b, c, d, e, f = string.match(s, '^([^ ]*) ([^ ]*) ([^ ]*) ([^ ]*) ([^ ]*) ([^ ]*)$')
  if not a then return nil end
  return { start = num(a), next = num(b), at = num(c), token = num(d), definition = e, node = f }
end

local function join(m)
  return str(m.start) .. ' ' .. str(m.next) .. ' ' .. str(m.at) .. ' ' .. str(m.token) .. ' ' .. m.definition .. ' ' .. m.node
end

local function put(field, value) set[field] = value; removed[field] = nil end
local function drop(field) removed[field] = true; set[field] = nil end

-- Whether this version may write to it: there is none yet, or it is of our layout.
local ours = not next(record) or num(record['v']) == 1
local running = text('status') == 'true'
local function until_end()
  local ends, latest = num(record['until']), now + num(record['lease'])
  return ends > latest + CLOCK_SLACK and latest or ends
end
local live = function() return running and until_end() > now end

local function horizon(field, m)
  local kind = string.sub(field, 1, 2)
  if kind == 'm:' then return m.next == -1 and m.start or m.next end
  return kind == 'i:' and m.start + m.next or m.start
end

local function lane_mark(field, value)
  local kind = string.sub(field, 1, 2)
  if kind == 'm:' or kind == 'i:' or kind == 'o:' then return mark(value) end
end

local function write()
  local pairs_to_set, names = {}, {}
  for field, value in pairs(set) do
    table.insert(pairs_to_set, field)
    table.insert(pairs_to_set, value)
    record[field] = value
  end
  for field in pairs(removed) do table.insert(names, field); record[field] = nil end
  if #pairs_to_set == 0 and #names == 0 then return end
  -- The one write that a full memory can refuse comes first: it is all or nothing.
  if #pairs_to_set > 0 then redis.call('HSET', KEYS[1], unpack(pairs_to_set)) end
  -- Lua hands at most some thousand values to one call.
  for i = 1, #names, 1000 do redis.call('HDEL', KEYS[1], unpack(names, i, math.min(i + 999, #names))) end
  local last, tombstones = num(record['until']), 0
  for field, value in pairs(record) do
    local m = lane_mark(field, value)
    if m then
      last = math.max(last, horizon(field, m))
    elseif string.sub(field, 1, 2) == 'x:' then
      tombstones = math.max(tombstones, num(value))
    end
  end
  if last ~= 0 then last = last + KEPT end
  redis.call('PEXPIRE', KEYS[1], str(math.max(1, math.max(last, tombstones) - now)))
end
