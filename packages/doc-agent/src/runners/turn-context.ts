import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { docketFolder } from '#sandbox/bubblewrap-arguments.ts'
import type { Work } from './runner.ts'

/** Writes `context.json` and `context.md` into `folder`, and returns the same words as the input of an agent. The prompt comes last. */
export const writeContext = async (
  folder: string,
  work: Pick<Work, 'prompt' | 'earlier' | 'projectId' | 'jobId' | 'checkout' | 'repository' | 'folder'>,
): Promise<string> => {
  const { prompt, earlier, projectId, jobId, checkout, repository } = work
  const instructions = await findInstructions(checkout, work.folder)
  const { commit } = repository
  // Other addresses are paths and ports of this machine.
  const url = repository.url.startsWith('https://') ? repository.url : null
  const facts = { project: projectId, job: jobId, folder: work.folder, repository: { url, commit }, instructions }
  const turns = earlier.map(({ prompt: said, outcome, report }) => ({ prompt: said, outcome, report }))
  const text = [
    `You work on the documentation project “${projectId}”, in a checkout of ${url ?? 'its repository'} at commit ${commit.slice(0, 12)}.`,
    `The checkout is the current folder, /work.${work.folder === '' ? '' : ` The documentation is in its folder ${work.folder}/.`}`,
    ...instructions.map((file) => `Read ${file} first: it says how to work here.`),
    'Change the files. When you end, Docket commits the change and opens a pull request, which people review.',
    `These facts are also in ${docketFolder}/context.json.`,
    ...(earlier.length === 0
      ? []
      : ['', 'Earlier messages of this job, oldest first. Their changes are in the checkout.']),
    ...earlier.flatMap((turn, index) => ['', `Message ${index + 1}:`, turn.prompt, '', ...describeOutcome(turn)]),
    '',
    earlier.length === 0 ? 'The task:' : 'The task now:',
    prompt,
    '',
  ].join('\n')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'context.json'), `${JSON.stringify({ ...facts, earlier: turns, prompt }, null, 2)}\n`)
  await writeFile(join(folder, 'context.md'), text)
  return text
}

const describeOutcome = ({ outcome, report }: Work['earlier'][number]) => [
  outcome === 'completed' ? 'The agent finished and reported:' : 'The agent failed:',
  ...(report.length === 0 ? ['(nothing)'] : report),
]

/** Instructions for agents at the top of the checkout and of the project's folder. */
const findInstructions = async (checkout: string, folder: string): Promise<string[]> => {
  const places = [...new Set(['AGENTS.md', folder === '' ? 'AGENTS.md' : `${folder}/AGENTS.md`])]
  const found = await Promise.all(
    places.map((path) =>
      lstat(join(checkout, path)).then(
        (entry) => entry.isFile(),
        () => false,
      ),
    ),
  )
  return places.filter((_, index) => found[index])
}
