import type { Fault } from '#proofs/harness/plant.ts'
import { expectThat, type CrashBench } from './bench.ts'
import type { LocalService } from './local-service.ts'
import { killedAfter, type CrashRow } from './row.ts'

const workFile = 'agent-jobs/work-on-jobs.ts'
const turnFile = 'work/run-turn.ts'
const pullRequestsFile = 'embedded/pull-requests/pull-requests.ts'
const prompt = 'Replace "Teh first" with "The first"'

/** Failed because of the stop, and nothing was done a second time. */
const failsWithoutTrace = async (bench: CrashBench, service: LocalService, id: string) => {
  const { status, prLink } = await bench.agentEnded(service, id)
  expectThat(status === 'failed' && prLink === null, `it is ${status}, pull request ${prLink}`)
  const pulls = bench.countPullRequests('docs')
  expectThat(pulls === 0, `there are ${pulls} pull requests`)
  // The branch is as it was, so the same can be asked for again.
  const again = await bench.agentEnded(service, await service.startAgentJob(prompt))
  expectThat(again.status === 'completed' && again.prLink !== null, `asked again, it is ${again.status}`)
}

/** Completed with the one pull request of what was pushed. */
const completesWithOnePullRequest = async (bench: CrashBench, service: LocalService, id: string) => {
  const { status, prLink } = await bench.agentEnded(service, id)
  expectThat(status === 'completed' && prLink !== null, `it is ${status}, pull request ${prLink}`)
  const pulls = bench.countPullRequests('docs')
  expectThat(pulls === 1, `there are ${pulls} pull requests`)
}

const beforePush = killedAfter(turnFile, 'await order.beforePush(commit, { report, usage, checks })')
const afterPush = killedAfter(turnFile, 'await project.push(order.branch, commit, signal)')
const afterPullRequest = killedAfter(pullRequestsFile, '`create ${recordRef(pull.number)} ${blob}`,\n    ])')

const whileCheckedOut = killedAfter(turnFile, 'await checkOut({ git, gitDir, commit: from, workTree, index, signal })')
/** Right after the cancel is noted, before anything is aborted. */
const afterCancel = killedAfter(workFile, 'let job = cancelled')

const projectIds = ['one', 'two', 'three', 'four']

/** Every job of several projects has ended; at most `interrupted` failed, and every other one has its one pull request. */
const allEnd = async (bench: CrashBench, service: LocalService, ids: readonly string[], interrupted: number) => {
  const projectIdAt = (index: number) => projectIds[index % projectIds.length]!
  const jobs = await Promise.all(ids.map((id, index) => bench.agentEnded(service, id, projectIdAt(index))))
  const failed = jobs.filter(({ status }) => status !== 'completed')
  expectThat(failed.length <= interrupted, `${failed.length} failed: ${failed[0]?.error}`)
  const links = jobs.flatMap(({ prLink }) => prLink ?? [])
  expectThat(links.length === jobs.length - failed.length, `${links.length} have a pull request`)
  const pulls = projectIds.reduce((sum, projectId) => sum + bench.countPullRequests(projectId), 0)
  expectThat(pulls === new Set(links).size && pulls === links.length, `there are ${pulls} pull requests`)
}

const killedAt = async (bench: CrashBench, crash: Fault) => {
  const first = await bench.start({}, [crash])
  const id = await first.startAgentJob(prompt)
  await first.gone()
  return id
}

/** Agent jobs: before, at and after the moment when something can be seen from outside. */
export const agentRows: readonly CrashRow[] = [
  {
    name: 'agent job at work when the service is killed: failed, and the one behind it runs',
    play: async (bench) => {
      const first = await bench.start()
      const [atWork, behind] = [await first.startAgentJob(`Wait 5 s\n${prompt}`), await first.startAgentJob(prompt)]
      await bench.agentStarted(first, atWork)
      await first.kill()
      const second = await bench.start()
      const { status } = await bench.agentEnded(second, atWork)
      expectThat(status === 'failed', `it is ${status}`)
      await completesWithOnePullRequest(bench, second, behind)
    },
  },
  {
    name: 'agent job killed while it is checked out: failed, nothing to be seen',
    crash: whileCheckedOut,
    play: async (bench) => {
      const id = await killedAt(bench, whileCheckedOut)
      await failsWithoutTrace(bench, await bench.start(), id)
    },
  },
  {
    name: 'agent job killed right after a cancel: cancelled, nothing to be seen',
    crash: afterCancel,
    play: async (bench) => {
      const first = await bench.start({}, [afterCancel])
      const id = await first.startAgentJob(`Wait 99 s\n${prompt}`)
      await bench.agentStarted(first, id)
      await first.cancelAgentJob(id).catch(() => null)
      await first.gone()
      const second = await bench.start()
      const { error } = await bench.agentEnded(second, id)
      expectThat(error === 'cancelled', `it ended with ${error}`)
      await failsWithoutTrace(bench, second, id)
    },
  },
  {
    name: '20 agent jobs on 4 projects, killed among them: what was at work has failed, all others have one pull request',
    play: async (bench) => {
      const first = await bench.start({}, [], projectIds)
      const ids = await Promise.all(
        Array.from({ length: 20 }, (_, index) => first.startAgentJob(prompt, projectIds[index % projectIds.length])),
      )
      await bench.agentEnded(first, ids[7]!, projectIds[3])
      await first.kill()
      await allEnd(bench, await bench.start({}, [], projectIds), ids, 2)
    },
  },
  {
    name: 'agent job killed before its push: failed, nothing to be seen',
    crash: beforePush,
    play: async (bench) => {
      const id = await killedAt(bench, beforePush)
      await failsWithoutTrace(bench, await bench.start(), id)
    },
  },
  {
    name: 'agent job killed after its push: completed with the pull request',
    crash: afterPush,
    play: async (bench) => {
      const id = await killedAt(bench, afterPush)
      await completesWithOnePullRequest(bench, await bench.start(), id)
    },
  },
  {
    name: 'agent job killed after its pull request was opened: completed with that one',
    crash: afterPullRequest,
    play: async (bench) => {
      const id = await killedAt(bench, afterPullRequest)
      await completesWithOnePullRequest(bench, await bench.start(), id)
    },
  },
]
