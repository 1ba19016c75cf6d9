import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser, listDisabledFeatures } from '#e2e/support/browser.ts'

const prepareCluster = join(import.meta.dirname, '../../apps/bff/src/testing/prepare-cluster.ts')

/**
 * Finds the browser once, and what to switch off in it, and makes the database that fresh servers begin with; workers
 * get all of it with the environment. Returns what removes the database.
 */
export default async function globalSetup(): Promise<() => void> {
  process.env.E2E_CHROMIUM = await findBrowser()
  process.env.E2E_DISABLED_FEATURES = await listDisabledFeatures(process.env.E2E_CHROMIUM)
  const folder = mkdtempSync(join(tmpdir(), 'docket-cluster-'))
  execFileSync(process.execPath, [prepareCluster, folder])
  process.env.E2E_CLUSTER = join(folder, 'postgres')
  return () => rmSync(folder, { recursive: true, force: true })
}
