import type { ApiToken } from '@docket/api-types/tokens'
import { useState } from 'react'
import type { NamedConnection } from '#lib/people/named-places.ts'
import { isolateText } from '#lib/text/format.ts'
import { Button } from '#ui/buttons/button.tsx'
import { Ago, Instant } from '#ui/live/ticking.tsx'
import { toastEnd } from '#ui/live/use-write.ts'
import { StateLabel } from '#ui/marks/state-mark.tsx'
import { DeleteDialog } from '#ui/overlays/dialog.tsx'
import { useHandOverToken, useRevokeToken } from './api-tokens.queries.ts'
import { nameSites, type TokenSiteChoice } from './token-sites.ts'

const RevokeDialog = ({ token, onClose }: { token: ApiToken; onClose: () => void }) => {
  const revocation = useRevokeToken()
  return (
    <DeleteDialog
      title={`Revoke “${isolateText(token.name)}”?`}
      action="Revoke"
      keep="Keep"
      deletion={revocation}
      onDelete={() => revocation.mutateAsync(token.tokenId)}
      message={`Revoked “${isolateText(token.name)}”.`}
      onClose={onClose}
    >
      <p className="text-muted">Programs that use this token lose access. You can’t undo this.</p>
    </DeleteDialog>
  )
}

const formatNames = (kind: string, names: readonly string[] | null) =>
  names === null || names.length === 0 ? `no ${kind}` : names.map(isolateText).join(', ')

type TokenRowProps = { token: ApiToken; connections: readonly NamedConnection[]; sites: readonly TokenSiteChoice[] }

const TokenScope = ({ token, connections, sites }: TokenRowProps) => {
  const { domains, projectIds, connectionIds } = token
  const own = token.sites ?? null
  const names = connectionIds?.map(
    (id) => connections.find(({ connectionId }) => connectionId === id)?.name ?? 'a removed connection',
  )
  return (
    <>
      {domains === null && projectIds === null && own === null ? (
        <p>All domains, projects and sites</p>
      ) : (
        <p className="wrap-anywhere">
          {formatNames('exports', domains)} · {formatNames('agent jobs', projectIds)} ·{' '}
          {own === null || own.length === 0 ? 'no sites' : `releases of ${nameSites(own, sites)}`}
        </p>
      )}
      {names && <p className="wrap-anywhere">Only on {names.map(isolateText).join(', ')}</p>}
    </>
  )
}

const TokenState = ({ token }: { token: ApiToken }) => {
  if (token.state === 'revoked')
    return (
      <StateLabel tone="archived">
        Revoked <Ago at={token.revokedAt!} />
      </StateLabel>
    )
  if (token.state === 'expired')
    return (
      <StateLabel tone="attention">
        Expired <Ago at={token.expiresAt!} />
      </StateLabel>
    )
  if (token.state === 'paused')
    return (
      <>
        <StateLabel tone="attention">Paused</StateLabel>
        <p className="wrap-anywhere">
          {token.owner ? `${isolateText(token.owner.name)} has no access` : 'Its owner is gone'}
        </p>
      </>
    )
  return token.expiresAt === null ? (
    <p>Never expires</p>
  ) : (
    <p>
      Expires <Instant at={token.expiresAt} />
    </p>
  )
}

export const TokenRow = ({ token, connections, sites }: TokenRowProps) => {
  const [revoking, setRevoking] = useState(false)
  const { mutateAsync: handOver, isPending } = useHandOverToken()
  const { tokenId, name, scope, hint, createdBy, createdAt, lastUsedAt, owner, state } = token
  const toMe = () => toastEnd(handOver(tokenId), `“${isolateText(name)}” works, and is yours now.`)
  return (
    <>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-xs text-muted wrap-anywhere">
          <span className="font-mono">…{hint}</span>, created by {createdBy} <Ago at={createdAt} />
          {owner && owner.name !== createdBy && `, now of ${isolateText(owner.name)}`}
        </p>
      </div>
      <div className="col-span-2 row-start-2 min-w-0 text-xs text-muted sm:col-span-1 sm:row-start-auto">
        <p>
          {scope === 'read' ? 'Can read' : token.mayPrompt === false ? 'Can operate, not prompt agents' : 'Can operate'}
        </p>
        <TokenScope {...{ token, connections, sites }} />
      </div>
      <div className="col-span-2 row-start-3 min-w-0 text-xs text-muted sm:col-span-1 sm:row-start-auto">
        <TokenState token={token} />
        <p>
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <Ago at={lastUsedAt} />
            </>
          )}
        </p>
        {state === 'paused' && (
          <Button className="mt-1.5" busy={isPending} aria-label={`Hand over to me: ${name}`} onClick={toMe}>
            Hand over to me
          </Button>
        )}
      </div>
      <div className="col-start-2 row-start-1 justify-self-end sm:col-start-auto sm:row-start-auto">
        {(state === 'active' || state === 'paused') && (
          <Button variant="danger" aria-label={`Revoke ${name}`} onClick={() => setRevoking(true)}>
            Revoke…
          </Button>
        )}
      </div>
      {revoking && <RevokeDialog token={token} onClose={() => setRevoking(false)} />}
    </>
  )
}
