import type { HostKind } from '@docket/api-types/host-configuration'
import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { findErrorAt } from '#lib/api/api-error.ts'
import { get } from '#lib/api/api.ts'
import { CodeFigure } from '#ui/copying/code-figure.tsx'
import { SelectField, TextField, Options, FormFailure } from '#ui/forms/form.tsx'
import { Loading } from '#ui/layout/page.tsx'
import { useSettledValue } from '#ui/live/use-settled.ts'
import { Dialog } from '#ui/overlays/dialog.tsx'

/** Details of the host, as the user enters them. An empty `path` stands for the path that the bundle expects. */
type HostChoice = { host: HostKind; name: string; root: string; path: string }

const hostConfigurationQuery = (exportId: string, { host, name, root, path }: HostChoice) =>
  queryOptions({
    queryKey: ['host-configuration', exportId, host, name, root, path],
    queryFn: ({ signal }) =>
      get('/api/static-exports/{exportId}/artifact/host-configuration', {
        params: { exportId },
        query: { host, name, root, path: path.trim() === '' ? undefined : path },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

const hosts: Readonly<Record<HostKind, string>> = {
  nginx: 'nginx',
  caddy: 'Caddy',
  apache: 'Apache',
  s3_cloudfront: 'S3 and CloudFront',
  netlify: 'Netlify',
  cloudflare_pages: 'Cloudflare Pages',
}
/** Hosts that read their configuration files from the uploaded folder. */
const uploaded: readonly HostKind[] = ['netlify', 'cloudflare_pages']

const fields = ['name', 'root', 'path'] as const
const pauseMs = 400

type HostConfigurationDialogProps = { exportId: string; domain: string; onClose: () => void }

export const HostConfigurationDialog = ({ exportId, domain, onClose }: HostConfigurationDialogProps) => {
  const [choice, setChoice] = useState<HostChoice>({
    host: 'nginx',
    name: domain.replace(/[:/].*$/s, ''),
    root: '/srv/docs',
    path: '',
  })
  const settled = useSettledValue(choice, pauseMs)
  const asked = { ...settled, host: choice.host }
  const { data, error, isPlaceholderData } = useQuery({ ...hostConfigurationQuery(exportId, asked), retry: false })
  const field = (name: (typeof fields)[number]) => ({
    value: choice[name],
    error: findErrorAt(error, name),
    onChange: ({ target: { value } }: { target: { value: string } }) => setChoice({ ...choice, [name]: value }),
  })
  return (
    <Dialog wide onClose={onClose} title="Host configuration">
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
          <Options of={Object.entries(hosts)} />
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
      {data === undefined && error === null && <Loading className="space-y-2" lines={['h-4 w-64', 'h-4 w-48']} />}
      {data !== undefined && error === null && (
        <div className={isPlaceholderData ? 'opacity-60' : ''} aria-busy={isPlaceholderData || undefined}>
          {data.files.map((file) => (
            <CodeFigure key={file.name} file={file.name} text={file.text} saves />
          ))}
        </div>
      )}
    </Dialog>
  )
}
