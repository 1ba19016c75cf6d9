import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { docketClient } from '#apps/bff/src/testing/docket-client.ts'
import { temporaryFolder } from '#proofs/harness/docket.ts'
import { plantedEnvironment, type Fault } from '#proofs/harness/plant.ts'
import type { Proof } from '#proofs/harness/proof.ts'
import { startBalancer } from './balancer.ts'
import { exportService } from './export-service.ts'
import { openReplicas } from './replicas.ts'
import { downloadInParts, makeBundle, pollLists, storeExport } from './upgrade-traffic.ts'
import { buildWebApp, copyBuilds, loadFiles, loadPage, serveBuild } from './web-builds.ts'

const allLoads = 200
const allPolls = 200
const allDownloads = 20
const atOnce = 4

const fault: Fault = {
  file: 'ground/http/web/web-builds.ts',
  instead: 'if (!hashedName.test(path)) return null',
  write: 'if (path !== undefined) return null',
}

/** A replica of an older build and one of a newer stand behind a balancer that takes them in turn, as in the middle of an upgrade. */
export const proof: Proof = {
  name: 'rolling-upgrade',
  bar: `${allLoads} of ${allLoads} pages load whole from two different builds in turn, and a tab of the older build loads all of its parts from the newer alone; meanwhile, none of ${allPolls} polls and of ${allDownloads} downloads that both serve in turn fails`,
  fault,
  run: async ({ planted, quick }) => {
    const [loads, polls, downloads] = quick ? [8, 40, 4] : [allLoads, allPolls, allDownloads]
    const bundle = await makeBundle()
    const store = { ARTIFACT_STORE_DIR: join(temporaryFolder(), 'artifacts') }
    const builds = quick ? await copyBuilds() : [await buildWebApp(), await buildWebApp(['--minify', 'false'])]
    const replicas = await openReplicas((await exportService(bundle)).url, { callsPerHour: 1_000 })
    const balancer = await startBalancer({ repeatsPosts: false })
    const start = (build: string) =>
      replicas.start({
        ...plantedEnvironment([serveBuild(build), ...(planted ? [fault] : [])]),
        // On a busy machine a slow database is not one that is away.
        DATABASE_WAIT_MS: '600000',
        ...store,
      })
    const [older, newer] = builds as [string, string]
    const dockets = [await start(older), await start(older)]
    const use = async () => {
      balancer.use(dockets.map(({ client }) => client.url))
      // Those from before are ready, too.
      do await delay(500)
      while (balancer.ready() !== dockets.length)
    }
    await use()
    const tab = await loadPage(balancer.url)
    const download = await storeExport(docketClient(balancer.url, replicas.cookie()))

    await dockets[0]!.stop()
    dockets[0] = await start(newer)
    await use()
    const loaded: Awaited<ReturnType<typeof loadPage>>[] = []
    let begun = 0
    const loadInTurn = async () => {
      while ((begun += 1) <= loads) {
        loaded.push(await loadPage(balancer.url))
        // However many files a page has, both replicas get pages.
        if (loaded.length % 2 === 1) await fetch(`${balancer.url}/readyz`)
      }
    }
    await Promise.all(Array.from({ length: quick ? 1 : atOnce }, loadInTurn))
    const client = docketClient(balancer.url, replicas.cookie())
    const failedPolls = await pollLists(client, polls)
    const failedDownloads: string[] = []
    for (let n = 0; n < downloads; n += 1) {
      const problem = await downloadInParts(client, download, bundle)
      if (problem !== null) failedDownloads.push(problem)
    }
    const whole = loaded.filter(({ problem }) => problem === null)
    const seen = new Set(loaded.map(({ build }) => build))

    await dockets.pop()!.stop()
    await use()
    const later = await loadFiles(balancer.url, tab.names)
    const problems = [
      ...[tab, ...loaded, later].flatMap(({ problem }) => problem ?? []),
      ...failedPolls,
      ...failedDownloads,
    ]
    const fewFiles = Math.min(tab.files, ...loaded.map(({ files }) => files))
    return {
      ok: problems.length === 0 && whole.length === loads && seen.size === 2 && fewFiles > 20,
      figure: `${whole.length} of ${loads} pages of ${seen.size} builds loaded whole, with at least ${fewFiles} files each; ${failedPolls.length} of ${polls} polls and ${failedDownloads.length} of ${downloads} downloads failed; the older tab ${later.problem === null ? `loaded its ${later.files} files` : `broke (${later.problem})`}${problems.length === 0 ? '' : ` (${problems.slice(0, 3).join('; ')})`}`,
    }
  },
}
