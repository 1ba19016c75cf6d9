import type { Git } from '@docket/sources/git/git'
import { toLine } from '@docket/sources/text'
import type { RepositoryRules, Requester } from './repository-rules.ts'

/** Rejects with a readable error when the commit cannot be signed. */
export const commitChange = async (
  git: Git,
  change: { tree: string; parents: readonly string[]; title: string; summary: string; requester: Requester | null },
  rules: RepositoryRules,
): Promise<string> => {
  const { tree, parents, title, summary, requester } = change
  const { author, committer, signingKeyFile: key } = rules
  const trailers = [
    ...(rules.requester === 'co-author' ? formatCoAuthor(requester) : []),
    ...(rules.signOff ? [`Signed-off-by: ${author.name} <${author.email}>`] : []),
  ]
  const input = [title, summary, trailers.join('\n')].filter((part) => part !== '').join('\n\n')
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-']
  const options = { input: `${input}\n`, people: { author, committer } }
  if (key === null) return (await git(args, options)).trim()
  const config = ['gpg.format=ssh', `user.signingkey=${key}`, 'gpg.ssh.program=ssh-keygen']
  return (
    await git([...args, '-S'], { ...options, config }).catch((error: unknown) => {
      throw new Error(`The commit could not be signed: ${explainCommitFailure(String(error), key)}`, { cause: error })
    })
  ).trim()
}

export const readSummary = async (git: Git, commit: string): Promise<string[]> =>
  (await git(['log', '-1', '--format=%b', commit]))
    .trim()
    .split('\n')
    .filter((line) => line !== '' && !/^(Co-authored-by|Signed-off-by): /.test(line))

const formatCoAuthor = (requester: Requester | null): string[] => {
  const [name, email] = [toLine(requester?.name, 100)?.replaceAll(/[<>]/g, ''), requester?.email]
  return name && email && /^[^\s<>]+@[^\s<>]+$/.test(email) ? [`Co-authored-by: ${name} <${email}>`] : []
}

const setting = 'AGENT_COMMIT_SIGNING_KEY_FILE'

const explainCommitFailure = (message: string, key: string): string => {
  if (/cannot (run|exec|spawn)|ssh-keygen: not found/i.test(message))
    return 'ssh-keygen is not installed on this machine, or not on the PATH. Install OpenSSH.'
  if (/passphrase/i.test(message)) return `the key in ${setting} has a passphrase. Use one without.`
  if (/UNPROTECTED|too open|bad permissions/i.test(message))
    return `other users may read the key in ${setting}. Run chmod 600 on the file.`
  if (/no such file|couldn't load|permission denied/i.test(message))
    return `the file in ${setting} cannot be read, or is no private SSH key. Check its path, permissions and content.`
  return `${setting} names no usable private SSH key (${findLastLine(message.replaceAll(key, 'the key'))}).`
}

const findLastLine = (text: string) => toLine(text.trim().split('\n').at(-1), 200) ?? 'no reason given'
