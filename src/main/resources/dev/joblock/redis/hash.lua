-- The lock is the record alone.
local function outsider() return nil end
local function take() end
local function keep() end
local function free() end
