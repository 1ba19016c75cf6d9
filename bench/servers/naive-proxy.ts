import { readInput, listen } from './listen.ts'

// Stands for a page without Docket: each poll of each viewer asks the service for each job.
const { adminApi, key, jobs } = readInput<{ adminApi: string; key: string; jobs: number }>()

const read = async (job: number) => {
  const answer = await fetch(`${adminApi}/v2/agent/bench/job/active-${job}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return answer.json()
}

listen((_, response) => {
  void Promise.all(Array.from({ length: jobs }, (_, job) => read(job))).then((all) => {
    const text = JSON.stringify(all)
    response.writeHead(200, { 'content-length': Buffer.byteLength(text) }).end(text)
  })
})
