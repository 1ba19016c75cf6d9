/** Loaded into a process before anything else: its wall clock is off by `CLOCK_SHIFT_MS`. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
const { now } = Date

Date.now = () => now() + shiftMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args: []) => (args.length === 0 ? new target(now() + shiftMs) : new target(...args)),
})
