-- ARGV: nonce, node, lease, rule, lane, scheduled, next, definition, allowance (-1: not checked), interval
local nonce, node, lease, rule, lane = ARGV[1], ARGV[2], num(ARGV[3]), ARGV[4], ARGV[5]
local scheduled, next_fire, definition = num(ARGV[6]), num(ARGV[7]), ARGV[8]
local allowance, interval = num(ARGV[9]), num(ARGV[10])
local tolerance = math.max(math.floor(interval / 60), 50)

local function denied_by(reason, m, other)
  write()
  return { reason, m.node, str(m.start), str(math.min(m.at, now)), str(m.token), other and '1' or '0' }
end

local function mark_allowance(m)
  if m.next <= m.start then return 10000 end
  return math.min(math.max(math.floor((m.next - m.start) / 2), 500), 10000)
end

-- The first slot between two marks of a lane that nobody was granted; '' if there is none.
local function passed_over(before, m)
  if before and m and before.definition == m.definition and before.next ~= -1 and m.start > before.next then
    return str(before.next)
  end
  return ''
end

if next(record) then
  local layout = num(record['v'])
  if layout <= 0 then return { 'foreign' } end
  if layout > 1 then return { 'layout', str(layout) } end
end
local owner = text('owner') == nonce
if owner and live() then
  local gap = text('rule') == 'slot' and passed_over(mark(text('prev')), mark(record['m:' .. text('lane')])) or ''
  return { 'granted', text('token'), text('time'), '0', text('took'), gap }
end
if owner or record['x:' .. nonce] then return { 'gone' } end

local old
if rule == 'slot' then
  if allowance >= 0 and scheduled > now + allowance then return { 'ahead', str(now) } end
  old = mark(record['m:' .. lane])
  -- What the mark was allowed may be more than what this slot is.
  if old and not (allowance >= 0 and old.start > now + math.max(allowance, mark_allowance(old)) + CLOCK_SLACK) then
    local same = old.definition == definition
    local free
    if same then free = old.next ~= -1 and scheduled >= old.next else free = scheduled > old.start end
    if not free then
      local taken = old.start == scheduled or (same and old.next == next_fire)
      return denied_by(taken and 'taken' or 'passed', old, not same)
    end
  end
elseif rule == 'owed' then
  old = mark(record['o:' .. lane])
  local recorded = running and text('lane') == lane and text('slot') == str(scheduled)
  if not recorded and not (old and old.start == scheduled) then
    local m = mark(record['m:' .. lane])
    if not m then return { 'notowed' } end
    return denied_by(m.start == scheduled and 'taken' or 'passed', m, false)
  end
elseif rule ~= 'exclusive' then
  old = mark(record['i:' .. lane])
  if old then
    local start = old.start
    if start > now + tolerance + CLOCK_SLACK then
      start = now
      local healed = { start = now, next = old.next, at = old.at, token = old.token, definition = old.definition, node = old.node }
      put('i:' .. lane, join(healed))
    end
    if now < start + interval - tolerance then
      write()
      return { 'soon', old.node, str(math.min(old.at, now)), str(old.token), str(start + interval) }
    end
  end
end

if live() then
  local ends = until_end()
  if ends < num(record['until']) then put('until', str(ends)) end
  write()
  return { 'held', text('node'), text('lane'), text('slot'), str(math.min(num(record['time']), now)), str(num(record['token'])), str(ends) }
end

local denial, dead_since = outsider(rule, scheduled)
if denial then return denial end

set, removed = {}, {}
local token = math.max(num(record['token']) + 1, now)
local node_word = word(node)
local function dead_mark()
  return { start = num(record['slot']), next = 0, at = math.min(num(record['time']), now), token = num(record['token']),
    definition = '%', node = word(text('node')) }
end

local took = ''
if running then
  local slot, dead_lane = text('slot'), text('lane')
  local dead_since = str(math.min(num(record['time']), now))
  took = dead_since .. ' ' .. str(num(record['token'])) .. ' ' .. (slot == '' and '-' or str(num(slot))) .. ' '
    .. word(dead_lane) .. ' ' .. word(text('node'))
  local again = rule == 'owed' and dead_lane == lane and num(slot) == scheduled
  if slot ~= '' and not again then
    local owed = mark(record['o:' .. dead_lane])
    if not owed or owed.start <= num(slot) then put('o:' .. dead_lane, join(dead_mark())) end
  end
elseif dead_since then
  took = str(dead_since) .. ' 0 - % ' .. word("an older version of the lock (key '" .. KEYS[2] .. "')")
end

local prev, other, gap = '', false, ''
if rule == 'slot' then
  prev = text('m:' .. lane)
  other = old ~= nil and old.definition ~= definition
  local m = { start = scheduled, next = next_fire, at = now, token = token, definition = definition, node = node_word }
  gap = passed_over(old, m)
  put('m:' .. lane, join(m))
elseif rule == 'owed' then
  if old and old.start == scheduled then
    prev = join(old)
    if not set['o:' .. lane] then drop('o:' .. lane) end
  else
    prev = join(dead_mark())
  end
elseif rule ~= 'exclusive' then
  prev = text('i:' .. lane)
  local start = now
  if old and rule == 'interval' and old.start <= now + tolerance + CLOCK_SLACK then
    local nominal = old.start + interval
    if 2 * (now - nominal) < interval then start = nominal end
  end
  put('i:' .. lane, join({ start = start, next = interval, at = now, token = token, definition = '%', node = node_word }))
end

put('prev', prev)
put('v', '1')
put('status', 'true')
put('time', str(now))
put('token', str(token))
put('owner', nonce)
put('node', node)
put('until', str(now + lease))
put('lease', str(lease))
put('rule', rule)
put('lane', lane)
put('slot', (rule == 'slot' or rule == 'owed') and str(scheduled) or '')
put('took', took)
for field, value in pairs(record) do
  local m = lane_mark(field, value)
  local over
  if m then
    over = horizon(field, m) + KEPT < now and string.sub(field, 3) ~= lane
  else
    over = string.sub(field, 1, 2) == 'x:' and num(value) < now
  end
  if over and not set[field] then drop(field) end
end
take(nonce, lease, rule, scheduled)
write()
return { 'granted', str(token), str(now), other and '1' or '0', took, gap }
