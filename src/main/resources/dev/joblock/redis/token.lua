-- Beside the record, KEYS[2] is a plain string that clients in other languages take by SET NX PX. It and the record must
-- both be ours: a string that was deleted, expired or taken by somebody else ends the lease.
local plain = redis.call('GET', KEYS[2])
local record_live = live
live = function() return record_live() and plain == text('owner') end

-- A denial: who else holds the string, and until when (-1: it has no expiry).
local function outsider()
  if not plain or plain == text('owner') then return nil end
  local left = redis.call('PTTL', KEYS[2])
  return { 'outside', plain, left < 0 and '-1' or str(now + left) }
end

local function take(nonce, lease)
  if plain then redis.call('DEL', KEYS[2]) end
  redis.call('SET', KEYS[2], nonce, 'NX', 'PX', str(lease))
end

local function keep(lease) redis.call('PEXPIRE', KEYS[2], str(lease)) end
local function free(nonce) if plain == nonce then redis.call('DEL', KEYS[2]) end end
