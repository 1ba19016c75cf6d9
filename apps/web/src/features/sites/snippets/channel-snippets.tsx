import type { Channel, Site } from '@docket/api-types/sites'
import { useState } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'
import { Notice } from '#ui/notice.tsx'
import { Panel } from '#ui/panel.tsx'
import { PressedButtons } from '#ui/pressed-buttons.tsx'
import { snippetTexts } from './snippet-texts.ts'

type ChannelSnippetsProps = {
  site: Site
  channel: Channel
  /** Address of Docket for programs. */
  docket: string
}

const Address = ({ url }: { url: string }) => (
  <li className="flex items-center gap-2">
    <code className="min-w-0 font-mono text-xs wrap-anywhere select-all">{url}</code>
    <CopyButton text={url} label={`Copy ${url}`} />
  </li>
)

/** Addresses of a channel's bundle, and snippets that fetch it. */
export const ChannelSnippets = ({ site, channel, docket }: ChannelSnippetsProps) => {
  const isPublic = channel.access === 'public'
  const snippets = snippetTexts({ docketUrl: docket, site: site.label, channel: channel.name, isPublic })
  const [chosen, setChosen] = useState<string | undefined>(snippets[0]?.id)
  const snippet = snippets.find(({ id }) => id === chosen) ?? snippets[0]
  const base = `${docket}/sites/${site.label}/${channel.name}/bundle`
  return (
    <Panel title="Fetch the bundle">
      <p className="mb-2 max-w-prose text-sm text-muted">
        These addresses always lead to the bundle that {channel.name} shows. They redirect to one that never changes, so
        an interrupted download resumes with the same bundle.
      </p>
      <ul className="mb-3 grid gap-1">
        <Address url={`${base}.tar.gz`} />
        <Address url={`${base}.zip`} />
      </ul>
      <div className="mb-4">
        <Notice tone="idle">
          {isPublic
            ? 'The channel is public, so no token is needed.'
            : 'Create an API token that is limited to this channel and can read, and store it as a secret.'}
        </Notice>
      </div>
      {snippet && (
        <>
          <PressedButtons
            label="Snippet"
            options={Object.fromEntries(snippets.map(({ id, title }) => [id, title]))}
            value={snippet.id}
            onChange={setChosen}
          />
          <figure className="mt-3 overflow-hidden rounded-md border border-line">
            <figcaption className="flex items-center justify-between gap-4 border-b border-line bg-sunken px-3 py-1.5 text-sm">
              {snippet.title}
              <CopyButton key={snippet.id} text={snippet.text} label={`Copy the snippet for ${snippet.title}`} />
            </figcaption>
            <pre
              className="max-h-96 overflow-auto px-3 py-2.5 font-mono text-xs/5"
              tabIndex={0}
              role="region"
              aria-label={`Snippet for ${snippet.title}`}
            >
              {snippet.text}
            </pre>
          </figure>
        </>
      )}
    </Panel>
  )
}
