import type { Fault } from '#proofs/harness/plant.ts'
import { expectThat, type CrashBench } from './bench.ts'
import type { LocalService } from './local-service.ts'
import { killedAfter, type CrashRow } from './row.ts'

const workFile = 'agent-jobs/work-on-jobs.ts'
const turnFile = 'work/run-turn.ts'
const pullRequestsFile = 'embedded/pull-requests/pull-requests.ts'
const prompt = 'Replace "Teh first" with "The first"'

const doneAgain = {
  file: workFile,
  instead: 'if (turn.startedAt !== null) return finish',
  write: 'if (false) return finish',
}

const neverFound = {
  file: workFile,
  instead: 'if ((await project.readHead(branch)) !== turn.commit)',
  write: 'if ((await project.readHead(branch)) !== "")',
}

/** Branch of the job and pull requests, as the repository has them. */
const readPullRequests = async (service: LocalService, id: string) => {
  const refs = await service.listRefs('docs')
  const pulls = refs.filter((ref) => /^refs\/pull\/\d+\/record$/.test(ref))
  return { pulls: pulls.length, hasBranch: refs.includes(`refs/heads/docs-agent/${id}`) }
}

/** Failed because of the stop, and nothing was done a second time. */
const failsWithoutTrace = async (bench: CrashBench, service: LocalService, id: string) => {
  const { status, prLink } = await bench.agentEnded(service, id)
  expectThat(status === 'failed' && prLink === null, `it is ${status}, pull request ${prLink}`)
  const { pulls } = await readPullRequests(service, id)
  expectThat(pulls === 0, `there are ${pulls} pull requests`)
  // The branch is as it was, so the same can be asked for again.
  const again = await bench.agentEnded(service, await service.startAgentJob(prompt))
  expectThat(again.status === 'completed' && again.prLink !== null, `asked again, it is ${again.status}`)
}

/** Completed with the one pull request of what was pushed. */
const completesWithOnePullRequest = async (bench: CrashBench, service: LocalService, id: string) => {
  const { status, prLink } = await bench.agentEnded(service, id)
  expectThat(status === 'completed' && prLink !== null, `it is ${status}, pull request ${prLink}`)
  const { pulls } = await readPullRequests(service, id)
  expectThat(pulls === 1, `there are ${pulls} pull requests`)
}

const beforePush = killedAfter(turnFile, 'await order.beforePush(commit)')
const afterPush = killedAfter(turnFile, 'await project.push(order.branch, commit, signal)')
const afterPullRequest = killedAfter(pullRequestsFile, '`create ${recordRef(pull.number)} ${blob}`])')

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
    faults: [doneAgain],
    play: async (bench) => {
      const first = await bench.start()
      const [atWork, behind] = [await first.startAgentJob(`Wait 5 s\n${prompt}`), await first.startAgentJob(prompt)]
      await bench.agentStarted(atWork)
      await first.kill()
      const second = await bench.start()
      const { status } = await bench.agentEnded(second, atWork)
      expectThat(status === 'failed', `it is ${status}`)
      await completesWithOnePullRequest(bench, second, behind)
    },
  },
  {
    name: 'agent job killed before its push: failed, nothing to be seen',
    faults: [doneAgain],
    crash: beforePush,
    play: async (bench) => {
      const id = await killedAt(bench, beforePush)
      await failsWithoutTrace(bench, await bench.start(), id)
    },
  },
  {
    name: 'agent job killed after its push: completed with the pull request',
    faults: [neverFound],
    crash: afterPush,
    play: async (bench) => {
      const id = await killedAt(bench, afterPush)
      await completesWithOnePullRequest(bench, await bench.start(), id)
    },
  },
  {
    name: 'agent job killed after its pull request was opened: completed with that one',
    faults: [{ file: pullRequestsFile, instead: 'if (existing) return existing', write: '' }],
    crash: afterPullRequest,
    play: async (bench) => {
      const id = await killedAt(bench, afterPullRequest)
      await completesWithOnePullRequest(bench, await bench.start(), id)
    },
  },
]
