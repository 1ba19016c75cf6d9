import { readBundle } from '#packages/site-bundle/src/analysis/read-bundle.ts'
import { usualBounds } from '#packages/site-bundle/src/bounds.ts'

const [file = '', folder = ''] = process.argv.slice(2)
await readBundle({ file, folder, bounds: usualBounds }, { onProgress: () => {}, onRead: () => {} })
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
process.send?.({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, memoryMb: maxRSS / 1024 })
process.disconnect()
