import type { Target } from '@docket/api-types/targets'
import { Choices } from '#ui/forms/choices.tsx'
import { bindDraft, SelectField, TextField, TextArea } from '#ui/forms/form.tsx'
import { Suggestions } from '#ui/forms/suggestions.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { findFieldError } from './field-error.ts'
import { HostKeyField } from './host-key-field.tsx'
import {
  classifyGitUrl,
  needsSecretAgain,
  parseSshServer,
  type KindDrafts,
  type TargetDraft,
  type TargetKind,
} from './target-draft.ts'

type SecretFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | null
  /** True when a secret is stored. The stored secret stays unless the reader types a new one. */
  isStored: boolean
  /** True when the stored secret would be sent to a different place. */
  again: boolean
  optional?: boolean
  /** True for a key, which has several lines. */
  multiline?: boolean
  hint?: string
}

const describeSecret = ({ isStored, again }: Pick<SecretFieldProps, 'isStored' | 'again'>) => {
  if (again) return 'Enter it again: Docket sends a stored one only to the place that it was entered for.'
  return isStored ? 'Stored. Enter a new one to replace it.' : 'Stored encrypted, and never shown again.'
}

/** Input for a secret. Never shows the stored one. */
const SecretField = (props: SecretFieldProps) => {
  const { label, value, onChange, error, isStored, again, optional = false, multiline = false, hint } = props
  const shared = {
    label,
    value,
    error,
    optional: optional && !again,
    hint: [hint, describeSecret({ isStored, again })].filter(Boolean).join(' '),
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  return multiline ? (
    <TextArea {...shared} rows={4} placeholder="-----BEGIN OPENSSH PRIVATE KEY-----" />
  ) : (
    <TextField {...shared} type="password" autoComplete="new-password" />
  )
}

type KindFieldsProps = {
  draft: TargetDraft
  before: Target | null
  folders: readonly string[]
  onChange: (kinds: KindDrafts) => void
  error: unknown
}

type Bind<K extends TargetKind> = ReturnType<typeof bindDraft<KindDrafts[K]>>['text']

type FieldsProps<K extends TargetKind> = {
  draft: KindDrafts[K]
  text: Bind<K>
  /** `text` for addresses and names that are no prose. */
  code: (name: Parameters<Bind<K>>[0]) => ReturnType<Bind<K>>
  type: (changes: Partial<KindDrafts[K]>) => void
  error: unknown
  folders: readonly string[]
  secret: { error: string | null; isStored: boolean; again: boolean }
}

const pair = 'grid items-start gap-4 sm:grid-cols-2'

const keep = {
  label: 'Releases to keep',
  inputMode: 'numeric',
  hint: 'Earlier ones that stay beside the current one, 1 to 20.',
} as const

const grace = {
  label: 'Pause before old files go',
  inputMode: 'numeric',
  hint: 'Minutes, 0 to 60. A page that a reader has open still finds its files.',
} as const

const FolderFields = ({ type, text, code, folders }: FieldsProps<'folder'>) => (
  <>
    {folders.length === 0 && (
      <Notice tone="attention" title="No folder is open to targets">
        The operator of Docket sets <code>TARGET_FOLDERS</code> to the folders that targets may be in.
      </Notice>
    )}
    <div className={pair}>
      <TextField
        label="Folder"
        {...code('path')}
        hint={
          <>
            {folders.length > 0 && (
              <Suggestions label="Within" values={folders} onPick={(folder) => type({ path: `${folder}/` })} />
            )}
            <span className="mt-1 block">It exists already, and your web server serves the link “current” in it.</span>
          </>
        }
      />
      <TextField {...keep} {...text('keep')} />
    </div>
  </>
)

const S3Fields = ({ draft, type, text, code, secret }: FieldsProps<'s3'>) => (
  <div className={pair}>
    <TextField
      label="Endpoint"
      optional
      inputMode="url"
      placeholder="https://s3.example.com"
      hint="Leave empty for AWS."
      {...code('endpoint')}
    />
    <TextField label="Region" placeholder="eu-central-1" {...code('region')} />
    <TextField label="Bucket" {...code('bucket')} />
    <TextField label="Folder in the bucket" optional hint="Leave empty for the whole bucket." {...code('prefix')} />
    <TextField label="Access key ID" {...code('accessKeyId')} />
    <SecretField
      label="Secret access key"
      value={draft.secret}
      onChange={(value) => type({ secret: value })}
      {...secret}
    />
    <TextField {...grace} {...text('graceMinutes')} />
  </div>
)

const GitFields = ({ draft, type, code, error, secret }: FieldsProps<'git'>) => {
  const access = classifyGitUrl(draft.url)
  return (
    <>
      <TextField
        label="Repository"
        inputMode="url"
        placeholder="https://git.example.com/docs.git"
        hint="Address that begins with https:// or ssh://, or a path that TARGET_REPOSITORIES lists."
        {...code('url')}
      />
      <div className={pair}>
        <TextField label="Branch" hint="Created by the first delivery if it doesn’t exist." {...code('branch')} />
        <TextField label="Folder in the branch" optional hint="Leave empty for the whole branch." {...code('folder')} />
        {access === 'https' && (
          <>
            <TextField
              label="User"
              optional
              hint="Name beside the token. Most code hosts accept any."
              {...code('user')}
            />
            <SecretField
              label="Token"
              optional
              value={draft.token}
              onChange={(token) => type({ token })}
              hint="It may write to the repository."
              {...secret}
            />
          </>
        )}
      </div>
      {access === 'ssh' && (
        <>
          <SecretField
            label="Private key"
            multiline
            value={draft.privateKey}
            onChange={(privateKey) => type({ privateKey })}
            hint="Without a passphrase."
            {...secret}
          />
          <HostKeyField
            server={parseSshServer(draft.url)}
            value={draft.key}
            onChange={(key) => type({ key })}
            error={findFieldError(error, 'hostKey')}
          />
        </>
      )}
    </>
  )
}

const layouts = [
  {
    value: 'releases',
    label: 'A folder for each release',
    hint: 'served from the link “current”; readers switch at once',
  },
  { value: 'in_place', label: 'In place', hint: 'where links are not possible; pages change one after the other' },
] as const

const SftpFields = ({ draft, type, text, code, error, secret }: FieldsProps<'sftp'>) => {
  const host = draft.host.trim()
  const port = Number(draft.port)
  const isPassword = draft.login === 'password'
  return (
    <>
      <div className={pair}>
        <TextField label="Server" inputMode="url" placeholder="web.example.com" {...code('host')} />
        <TextField label="Port" inputMode="numeric" {...code('port')} />
        <TextField label="User" {...code('user')} />
        <SelectField
          label="Sign in with"
          value={draft.login}
          onChange={({ target }) => type({ login: target.value as typeof draft.login })}
        >
          <option value="private_key">Private key</option>
          <option value="password">Password</option>
        </SelectField>
      </div>
      <SecretField
        key={draft.login}
        label={isPassword ? 'Password' : 'Private key'}
        multiline={!isPassword}
        value={isPassword ? draft.password : draft.privateKey}
        onChange={(value) => type(isPassword ? { password: value } : { privateKey: value })}
        {...(!isPassword && { hint: 'Without a passphrase.' })}
        {...secret}
      />
      <HostKeyField
        server={host !== '' && Number.isInteger(port) && port > 0 && port < 65_536 ? { host, port } : null}
        value={draft.key}
        onChange={(key) => type({ key })}
        error={findFieldError(error, 'hostKey')}
      />
      <TextField label="Folder" hint="On the server, such as public or /srv/docs." {...code('folder')} />
      <Choices legend="Layout" options={layouts} value={draft.layout} onChange={(layout) => type({ layout })} />
      <div className={pair}>
        {draft.layout === 'releases' ? (
          <TextField {...keep} {...text('keep')} />
        ) : (
          <TextField {...grace} {...text('graceMinutes')} />
        )}
      </div>
    </>
  )
}

export const KindFields = ({ draft, before, folders, onChange, error }: KindFieldsProps) => {
  const again = before !== null && needsSecretAgain(draft, before)
  const props = <K extends TargetKind>(kind: K): FieldsProps<K> => {
    const type = (changes: Partial<KindDrafts[K]>) =>
      onChange({ ...draft.kinds, [kind]: { ...draft.kinds[kind], ...changes } })
    const { text } = bindDraft(draft.kinds[kind], type, (name) => findFieldError(error, name))
    return {
      draft: draft.kinds[kind],
      type,
      text,
      code: (name) => ({ autoCapitalize: 'none', dir: 'ltr', ...text(name) }),
      error,
      folders,
      secret: { error: findFieldError(error, 'secret'), isStored: before?.hasSecret ?? false, again },
    }
  }
  switch (draft.kind) {
    case 'folder':
      return <FolderFields {...props('folder')} />
    case 's3':
      return <S3Fields {...props('s3')} />
    case 'git':
      return <GitFields {...props('git')} />
    case 'sftp':
      return <SftpFields {...props('sftp')} />
  }
}
