import type { Channel, Site } from '@docket/api-types/sites'
import { useState } from 'react'
import { PressedButtons } from '#ui/buttons/pressed-buttons.tsx'
import { CodeFigure } from '#ui/copying/code-figure.tsx'
import { CopyButton } from '#ui/copying/copy-button.tsx'
import { Panel } from '#ui/layout/page.tsx'
import { printBundleAddress, printBundleSnippet, placeNames, snippetFiles, type SnippetPlace } from './snippet-texts.ts'

type ChannelSnippetsProps = {
  site: Pick<Site, 'label'>
  channel: Pick<Channel, 'name' | 'access'>
  docket: string
}

const BundleAddress = ({ url }: { url: string }) => (
  <li className="flex items-center gap-2">
    <code className="min-w-0 font-mono text-xs wrap-anywhere select-all">{url}</code>
    <CopyButton text={url} label={`Copy ${url}`} />
  </li>
)

export const ChannelSnippets = ({ site, channel, docket }: ChannelSnippetsProps) => {
  const [place, setPlace] = useState<SnippetPlace>('curl')
  const isPublic = channel.access === 'public'
  const source = { origin: docket, site: site.label, channel: channel.name, isPublic }
  return (
    <Panel title="Download from scripts">
      <p className="max-w-prose text-sm text-muted">
        Permanent links to the live bundle; an interrupted download goes on with the same one.{' '}
        {isPublic
          ? 'The channel is public, so no token is needed.'
          : 'They need an API token. Limit it to this channel, with the permission Read.'}{' '}
        If the service made the bundle as a ZIP, only the second address works.
      </p>
      <ul className="my-3 grid gap-1">
        <BundleAddress url={printBundleAddress(source)} />
        <BundleAddress url={printBundleAddress(source, 'zip')} />
      </ul>
      <PressedButtons label="Place" options={placeNames} value={place} onChange={setPlace} />
      <CodeFigure key={place} file={snippetFiles[place]} text={printBundleSnippet(source, place)} />
    </Panel>
  )
}
