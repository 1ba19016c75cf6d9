import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { optional, withDefault } from './variable.ts'
import * as value from './values.ts'

/** How pull requests name the person who requested them. */
const requesterModes = ['none', 'name', 'co-author'] as const

/** A person as git writes one: `Name <name@example.com>`. */
const person = value.plain.transform((text, ctx) => {
  const [, name = '', email = ''] = /^([^<>\n]*[^<>\s])\s*<([^\s<>@]+@[^\s<>@]+)>$/.exec(text) ?? []
  return name === ''
    ? value.reportMistake(ctx, 'must be a name and an e-mail address, such as Docs bot <docs@example.com>')
    : { name, email }
})

const placeholders = {
  title: ['title', 'project', 'job'],
  body: ['title', 'project', 'report', 'checks', 'prompt', 'asked', 'job'],
} as const

const buildPatternSchema = (kind: keyof typeof placeholders, max: number) =>
  value.plain.transform((text, ctx) => {
    const known: readonly string[] = placeholders[kind]
    const unknown = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).find((name) => !known.includes(name))
    if (unknown !== undefined)
      return value.reportMistake(
        ctx,
        `has {${unknown}}, and only ${known.map((name) => `{${name}}`).join(', ')} are known`,
      )
    return text.length <= max ? text : value.reportMistake(ctx, `must have at most ${max} characters`)
  })

/** Titles of different jobs must differ. */
const titlePattern = buildPatternSchema('title', 200).refine(
  (text) => text.includes('{title}') && !text.includes('\n'),
  {
    error: 'must be one line with {title} in it, such as docs: {title}',
  },
)

const names = value.list.refine((all) => all.length <= 20 && all.every((name) => name.length <= 100), {
  error: 'must be at most 20 names, separated by commas',
})

export const pullRequestVariables = {
  AGENT_COMMIT_AUTHOR: optional(person, {
    about: 'Author of the commits of agent jobs.',
    byDefault: 'Docs agent <docs-agent@localhost>',
    example: 'Docs bot <docs-bot@example.com>',
  }),
  AGENT_COMMIT_COMMITTER: optional(person, {
    about: 'Committer of these commits.',
    byDefault: 'the author',
    example: 'Docket <docket@example.com>',
  }),
  AGENT_COMMIT_SIGN_OFF: withDefault(value.yesOrNo, {
    about:
      'Adds a `Signed-off-by` line with the author to each commit, for repositories with a Developer Certificate of Origin.',
    byDefault: 'false',
    example: 'true',
  }),
  AGENT_COMMIT_SIGNING_KEY_FILE: optional(value.existingFile, {
    about:
      'Private SSH key, without a passphrase, that signs each commit. Register its public key as a signing key of the author on the code host. `ssh-keygen` must be installed.',
    example: '/run/secrets/signing-key',
  }),
  AGENT_REQUESTER: withDefault(value.word(requesterModes), {
    about:
      'How pull requests name the person who asked. `none`: not at all. `name`: the name, in the description. `co-author`: also a `Co-authored-by` line with the e-mail address in the commit.',
    byDefault: 'name',
    example: 'co-author',
  }),
  AGENT_PULL_REQUEST_TITLE: withDefault(titlePattern, {
    about: 'Title of commits and pull requests, with `{title}`, `{project}` and `{job}`.',
    byDefault: '{title}',
    example: 'docs({project}): {title}',
  }),
  AGENT_PULL_REQUEST_BODY_FILE: optional(value.fileWith(buildPatternSchema('body', 20_000)), {
    about:
      'Template for the description of pull requests, in Markdown, with `{report}`, `{checks}`, `{prompt}`, `{asked}`, `{job}`, `{title}` and `{project}`.',
    example: '/etc/docket/pull-request.md',
  }),
  AGENT_PULL_REQUEST_DRAFT: withDefault(value.yesOrNo, {
    about: 'Opens pull requests as drafts.',
    byDefault: 'false',
    example: 'true',
  }),
  AGENT_PULL_REQUEST_LABELS: optional(names, {
    about: 'Labels of new pull requests, separated by commas.',
    example: 'documentation,agent',
  }),
  AGENT_PULL_REQUEST_REVIEWERS: optional(names, {
    about: 'User names that are asked to review new pull requests. On GitHub, `organization/team` asks a team.',
    example: 'alice,example/docs-team',
  }),
  AGENT_OPEN_PULL_REQUESTS: optional(value.wholeNumber(1, 1_000), {
    about:
      'Maximum open pull requests of agent jobs in a project. Further jobs are refused until one is merged or closed.',
    byDefault: 'no limit',
    example: '10',
  }),
}

const file = z.string().refine(isAbsolute, { error: 'must be an absolute path' })

const CodeHostEntry = z
  .strictObject({
    kind: z.enum(['github', 'gitlab', 'gitea']),
    url: value.codeHostAddress.optional(),
    path: z
      .string()
      .regex(/^[\w.-]+(\/[\w.-]+)*$/)
      .optional(),
    caFile: file.optional(),
    tokenFile: file.optional(),
    app: z
      .strictObject({
        id: z.union([z.string().regex(/^[\w.-]+$/), z.int().positive().transform(String)]),
        privateKeyFile: file,
        installationId: z.int().positive().optional(),
      })
      .optional(),
  })
  .superRefine(({ kind, url, tokenFile, caFile, app }, ctx) => {
    if ((tokenFile === undefined) === (app === undefined))
      ctx.addIssue({ code: 'custom', message: 'needs either tokenFile or app' })
    if (app !== undefined && kind !== 'github')
      ctx.addIssue({ code: 'custom', message: 'can have app with kind github only' })
    if (kind === 'gitea' && url === undefined) ctx.addIssue({ code: 'custom', message: 'needs url with kind gitea' })
    for (const name of [tokenFile, caFile, app?.privateKeyFile])
      if (name !== undefined && value.readContent(name) === '')
        ctx.addIssue({ code: 'custom', message: `names the file ${name}, which Docket cannot read or is empty` })
  })

/** Code hosts from a JSON file. Messages never show what a file holds. */
export const codeHostsFile = value.fileWith(
  value.plain.transform((text, ctx) => {
    const parsed = z.array(CodeHostEntry).min(1).max(50).safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const [index, ...rest] = issue?.path ?? []
    const place =
      typeof index === 'number' ? `at code host ${index + 1}${rest.length > 0 ? `, ${rest.join('.')}` : ''}: ` : ''
    return value.reportMistake(ctx, `is no list of code hosts (${place}${issue?.message ?? 'not valid'})`)
  }),
)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
