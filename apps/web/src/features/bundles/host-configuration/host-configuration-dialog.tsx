import type { HostKind } from '@docket/api-types/host-configuration'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { errorAt } from '#lib/api/api-error.ts'
import { SelectField, TextField } from '#ui/forms/field.tsx'
import { FormFailure } from '#ui/forms/form-failure.tsx'
import { Dialog } from '#ui/overlays/dialog.tsx'
import { Skeleton } from '#ui/layout/skeleton.tsx'
import { ConfigurationFile } from './configuration-file.tsx'
import { hostConfigurationQuery, type HostChoice } from './host-configuration.queries.ts'

const hosts: Readonly<Record<HostKind, string>> = {
  nginx: 'nginx',
  caddy: 'Caddy',
  apache: 'Apache',
  s3_cloudfront: 'S3 and CloudFront',
  netlify: 'Netlify',
  cloudflare_pages: 'Cloudflare Pages',
}
/** Hosts that read the files from the folder that people upload. */
const uploaded: readonly HostKind[] = ['netlify', 'cloudflare_pages']

const fields = ['name', 'root', 'path'] as const
const pauseMs = 400

/** The last value that stayed for a moment, so that not each key is a call. */
const useSettled = <T,>(value: T): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

type HostConfigurationDialogProps = {
  exportId: string
  /** Domain of the export, as the first guess of the hostname. */
  domain: string
  onClose: () => void
}

/** Files for a web server or a hosting service, made from the stored bundle of an export. */
export const HostConfigurationDialog = ({ exportId, domain, onClose }: HostConfigurationDialogProps) => {
  const [choice, setChoice] = useState<HostChoice>({
    host: 'nginx',
    name: domain.replace(/[:/].*$/s, ''),
    root: '/srv/docs',
    path: '',
  })
  const settled = useSettled(choice)
  const asked = { ...settled, host: choice.host }
  const { data, error, isPlaceholderData } = useQuery({ ...hostConfigurationQuery(exportId, asked), retry: false })
  const field = (name: (typeof fields)[number]) => ({
    value: choice[name],
    error: errorAt(error, name),
    onChange: ({ target: { value } }: { target: { value: string } }) => setChoice({ ...choice, [name]: value }),
  })
  return (
    <Dialog open wide onClose={onClose} title="Host configuration">
      <p className="mb-4 text-sm text-muted">
        With these files, the host answers for this bundle as Docket does: the same addresses, redirects, page for
        unknown addresses, types and caching.
      </p>
      <div className="mb-4 grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Host"
          data-autofocus=""
          value={choice.host}
          onChange={({ target: { value } }) => setChoice({ ...choice, host: value as HostKind })}
        >
          {Object.entries(hosts).map(([host, label]) => (
            <option key={host} value={host}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField label="Hostname" {...field('name')} />
        {!uploaded.includes(choice.host) && (
          <TextField label="Folder" hint="Where the bundle is unpacked" {...field('root')} />
        )}
        <TextField
          label="Path"
          optional
          placeholder={data?.path ?? '/'}
          hint="Of the site at this host; without it, the one that its links expect"
          {...field('path')}
        />
      </div>
      <FormFailure error={error} fields={fields} />
      {data === undefined && error === null && (
        <div className="space-y-2" aria-busy="true">
          <Skeleton className="h-4 w-64" />
          <Skeleton className="h-4 w-48" />
        </div>
      )}
      {data !== undefined && error === null && (
        <div
          className={`grid gap-3 ${isPlaceholderData ? 'opacity-60' : ''}`}
          aria-busy={isPlaceholderData || undefined}
        >
          {data.files.map((file) => (
            <ConfigurationFile key={file.name} {...file} />
          ))}
        </div>
      )}
    </Dialog>
  )
}
