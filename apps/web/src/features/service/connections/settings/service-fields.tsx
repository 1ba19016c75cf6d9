import type { ConnectionSettings, DeploymentKind } from '@docket/api-types/connections'
import { deploymentKindLabels } from '#features/service/connections/connection-state.ts'
import { findErrorAt } from '#lib/api/api-error.ts'
import { bindDraft, SelectField, TextArea, TextField, Checkbox, Options } from '#ui/forms/form.tsx'
import type { ConnectionDraft } from './connection-draft.ts'
import { KeyField, KeyFileField } from './key-field.tsx'

type ServiceFieldsProps = {
  draft: ConnectionDraft
  type: (changes: Partial<ConnectionDraft>) => void
  error: unknown
  keyFiles: readonly string[] | null
  connection: ConnectionSettings | null
}

export const ServiceFields = ({ draft, type, error, keyFiles, connection }: ServiceFieldsProps) => {
  const { text, flag } = bindDraft(draft, type, (name) => findErrorAt(error, name))
  const { headerNames: names = [], clientCertificateExpiresOn: expiresOn } = connection ?? {}
  return (
    <>
      {keyFiles !== null && draft.key.file === '' && (
        <KeyFileField label="Admin key from" draft={draft.key} onChange={(key) => type({ key })} files={keyFiles} />
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Deployment kind"
          value={draft.deploymentKind}
          onChange={({ target }) => type({ deploymentKind: target.value as DeploymentKind })}
          error={findErrorAt(error, 'deploymentKind')}
        >
          <Options of={Object.entries(deploymentKindLabels)} />
        </SelectField>
        <TextField label="Key prefix" optional {...text('keyPrefix')} hint="Docket refuses keys without it." />
        <TextField
          label="Calls per hour"
          inputMode="numeric"
          {...text('callsPerHour')}
          hint="The limit for this key. 0 switches polling off."
        />
        <TextField
          label="Timeout"
          inputMode="decimal"
          {...text('timeout')}
          error={findErrorAt(error, 'timeoutMs')}
          hint="Seconds, 1 to 120."
        />
        <TextArea
          label="Bundle hosts"
          optional
          rows={2}
          {...text('bundleHosts')}
          hint="Hosts of bundle links, one per line. Leave empty for any public host."
        />
        <div className="grid gap-2">
          <KeyField
            label="Read key"
            optional
            draft={draft.readKey}
            onChange={(readKey) => type({ readKey })}
            files={keyFiles}
            before={connection?.readKey ?? null}
            error={findErrorAt(error, 'readKey')}
            hint="Used for reads. The admin key then only starts exports and jobs."
          />
          {keyFiles !== null && draft.readKey.file === '' && (
            <KeyFileField
              label="Read key from"
              draft={draft.readKey}
              onChange={(readKey) => type({ readKey })}
              files={keyFiles}
            />
          )}
          {connection && connection.readKey.from !== 'none' && (
            <Checkbox label="Remove the read key" {...flag('dropsReadKey')} />
          )}
        </div>
      </div>
      <TextArea
        label="Extra headers"
        optional
        rows={2}
        {...text('headers')}
        hint={`For a gateway in front of the service: one per line, such as X-Tenant: docs. ${names.length > 0 ? `Leave empty to keep ${names.join(', ')}.` : 'Stored encrypted.'}`}
      />
      {names.length > 0 && <Checkbox label="Remove the extra headers" {...flag('dropsHeaders')} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextArea
          label="Client certificate"
          optional
          rows={2}
          {...text('certificate')}
          error={findErrorAt(error, 'clientCertificate')}
          hint={expiresOn ? `Expires on ${expiresOn}. Leave empty to keep it.` : 'PEM, perhaps with its chain.'}
        />
        <TextArea
          label="Its private key"
          optional
          rows={2}
          {...text('certificateKey')}
          hint="PEM without a passphrase. Stored encrypted."
        />
      </div>
      {expiresOn && <Checkbox label="Remove the client certificate" {...flag('dropsCertificate')} />}
      <Checkbox
        label="The service can create agent jobs"
        hint="Shows the form for new jobs and follow-ups."
        {...flag('agentJobCreation')}
      />
    </>
  )
}
