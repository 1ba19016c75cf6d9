import type { Target } from '@docket/api-types/targets'
import { SelectField, TextField, TextArea } from '#ui/forms/field.tsx'
import { Choices } from '#ui/forms/choices.tsx'
import { Suggestions } from '#ui/forms/suggestions.tsx'
import { Notice } from '#ui/messages/notice.tsx'
import { errorIn } from './field-error.ts'
import { HostKeyField } from './host-key-field.tsx'
import {
  gitAccess,
  needsSecretAgain,
  sshServer,
  type KindDrafts,
  type TargetDraft,
  type TargetKind,
} from './target-draft.ts'

type SecretFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  error: string | null
  /** One is stored, and stays when nothing is typed. */
  isStored: boolean
  /** The stored one would go to another place than before. */
  again: boolean
  optional?: boolean
  /** A key has several lines. */
  multiline?: boolean
  hint?: string
}

const describe = ({ isStored, again }: Pick<SecretFieldProps, 'isStored' | 'again'>) => {
  if (again) return 'Enter it again: Docket sends a stored one only to the place that it was entered for.'
  return isStored ? 'Stored. Enter a new one to replace it.' : 'Stored encrypted, and never shown again.'
}

/** A secret as it is typed. Never shows the stored one. */
const SecretField = (props: SecretFieldProps) => {
  const { label, value, onChange, error, isStored, again, optional = false, multiline = false, hint } = props
  const shared = {
    label,
    value,
    error,
    optional: optional && !again,
    hint: [hint, describe({ isStored, again })].filter(Boolean).join(' '),
  }
  return multiline ? (
    <TextArea
      {...shared}
      rows={4}
      placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
      onChange={({ target }) => onChange(target.value)}
    />
  ) : (
    <TextField
      {...shared}
      type="password"
      autoComplete="new-password"
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

type KindFieldsProps = {
  draft: TargetDraft
  before: Target | null
  folders: readonly string[]
  onChange: (kinds: KindDrafts) => void
  error: unknown
}

type FieldsProps<K extends TargetKind> = {
  draft: KindDrafts[K]
  type: (changes: Partial<KindDrafts[K]>) => void
  error: unknown
  folders: readonly string[]
  secret: { error: string | null; isStored: boolean; again: boolean }
}

const pair = 'grid items-start gap-4 sm:grid-cols-2'
const code = { autoCapitalize: 'none', dir: 'ltr' } as const

const Keep = ({ value, onChange, error }: { value: string; onChange: (keep: string) => void; error: unknown }) => (
  <TextField
    label="Releases to keep"
    inputMode="numeric"
    value={value}
    onChange={({ target }) => onChange(target.value)}
    error={errorIn(error, 'keep')}
    hint="Earlier ones that stay beside the current one, 1 to 20."
  />
)

const Grace = ({ value, onChange, error }: { value: string; onChange: (minutes: string) => void; error: unknown }) => (
  <TextField
    label="Pause before old files go"
    inputMode="numeric"
    value={value}
    onChange={({ target }) => onChange(target.value)}
    error={errorIn(error, 'graceMinutes')}
    hint="Minutes, 0 to 60. A page that a reader has open still finds its files."
  />
)

const FolderFields = ({ draft, type, error, folders }: FieldsProps<'folder'>) => (
  <>
    {folders.length === 0 && (
      <Notice tone="attention" title="No folder is open to targets">
        The operator of Docket sets <code>TARGET_FOLDERS</code> to the folders that targets may be in.
      </Notice>
    )}
    <div className={pair}>
      <TextField
        label="Folder"
        {...code}
        value={draft.path}
        onChange={({ target }) => type({ path: target.value })}
        error={errorIn(error, 'path')}
        hint={
          <>
            {folders.length > 0 && (
              <Suggestions label="Within" values={folders} onPick={(folder) => type({ path: `${folder}/` })} />
            )}
            <span className="mt-1 block">It exists already, and your web server serves the link “current” in it.</span>
          </>
        }
      />
      <Keep value={draft.keep} onChange={(keep) => type({ keep })} error={error} />
    </div>
  </>
)

const S3Fields = ({ draft, type, error, secret }: FieldsProps<'s3'>) => {
  const field = (name: keyof KindDrafts['s3']) => ({
    ...code,
    value: draft[name],
    error: errorIn(error, name),
    onChange: ({ target }: { target: { value: string } }) => type({ [name]: target.value }),
  })
  return (
    <div className={pair}>
      <TextField
        label="Endpoint"
        optional
        inputMode="url"
        placeholder="https://s3.example.com"
        hint="Leave empty for AWS."
        {...field('endpoint')}
      />
      <TextField label="Region" placeholder="eu-central-1" {...field('region')} />
      <TextField label="Bucket" {...field('bucket')} />
      <TextField label="Folder in the bucket" optional hint="Leave empty for the whole bucket." {...field('prefix')} />
      <TextField label="Access key ID" {...field('accessKeyId')} />
      <SecretField
        label="Secret access key"
        value={draft.secret}
        onChange={(value) => type({ secret: value })}
        {...secret}
      />
      <Grace value={draft.graceMinutes} onChange={(graceMinutes) => type({ graceMinutes })} error={error} />
    </div>
  )
}

const GitFields = ({ draft, type, error, secret }: FieldsProps<'git'>) => {
  const access = gitAccess(draft.url)
  const field = (name: 'url' | 'branch' | 'folder' | 'user') => ({
    ...code,
    value: draft[name],
    error: errorIn(error, name),
    onChange: ({ target }: { target: { value: string } }) => type({ [name]: target.value }),
  })
  return (
    <>
      <TextField
        label="Repository"
        inputMode="url"
        placeholder="https://git.example.com/docs.git"
        hint="Address that begins with https:// or ssh://, or a path that TARGET_REPOSITORIES lists."
        {...field('url')}
      />
      <div className={pair}>
        <TextField label="Branch" hint="Created by the first delivery if it doesn’t exist." {...field('branch')} />
        <TextField
          label="Folder in the branch"
          optional
          hint="Leave empty for the whole branch."
          {...field('folder')}
        />
        {access === 'https' && (
          <>
            <TextField
              label="User"
              optional
              hint="Name beside the token. Most code hosts accept any."
              {...field('user')}
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
            server={sshServer(draft.url)}
            value={draft.key}
            onChange={(key) => type({ key })}
            error={errorIn(error, 'hostKey')}
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

const SftpFields = ({ draft, type, error, secret }: FieldsProps<'sftp'>) => {
  const field = (name: 'host' | 'port' | 'user' | 'folder') => ({
    ...code,
    value: draft[name],
    error: errorIn(error, name),
    onChange: ({ target }: { target: { value: string } }) => type({ [name]: target.value }),
  })
  const host = draft.host.trim()
  const port = Number(draft.port)
  const isPassword = draft.login === 'password'
  return (
    <>
      <div className={pair}>
        <TextField label="Server" inputMode="url" placeholder="web.example.com" {...field('host')} />
        <TextField label="Port" inputMode="numeric" {...field('port')} />
        <TextField label="User" {...field('user')} />
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
        error={errorIn(error, 'hostKey')}
      />
      <TextField label="Folder" hint="On the server, such as public or /srv/docs." {...field('folder')} />
      <Choices legend="Layout" options={layouts} value={draft.layout} onChange={(layout) => type({ layout })} />
      <div className={pair}>
        {draft.layout === 'releases' ? (
          <Keep value={draft.keep} onChange={(keep) => type({ keep })} error={error} />
        ) : (
          <Grace value={draft.graceMinutes} onChange={(graceMinutes) => type({ graceMinutes })} error={error} />
        )}
      </div>
    </>
  )
}

export const KindFields = ({ draft, before, folders, onChange, error }: KindFieldsProps) => {
  const again = before !== null && needsSecretAgain(draft, before)
  const props = <K extends TargetKind>(kind: K): FieldsProps<K> => ({
    draft: draft.kinds[kind],
    type: (changes) => onChange({ ...draft.kinds, [kind]: { ...draft.kinds[kind], ...changes } }),
    error,
    folders,
    secret: { error: errorIn(error, 'secret'), isStored: before?.hasSecret ?? false, again },
  })
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
