import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endedChildrenSeconds } from '#bench/harness/usage.ts'
import { parse } from 'parse5'

const [archive = '', site = ''] = process.argv.slice(2)
execFileSync('gzip', ['-t', archive])
for (const path of readdirSync(site, { recursive: true, encoding: 'utf8' }))
  if (path.endsWith('.html')) parse(readFileSync(join(site, path), 'utf8'))
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6 + endedChildrenSeconds(process.pid)
process.send?.({ cpuSeconds, memoryMb: maxRSS / 1024 })
process.disconnect()
