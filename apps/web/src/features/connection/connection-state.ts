import type { Status } from '@docket/api-types/status'
import type { Tone } from '#ui/state-mark.tsx'

/** Texts about the connection. `trouble`: every page shows them. */
export type ConnectionLabels = { tone: Tone; word: string; title: string; remedy: string | null; trouble: boolean }

const troubles: Record<
  Exclude<Status['connection']['state'], 'ok' | 'unknown'>,
  { word: string; title: string; remedy: string; tone: Tone }
> = {
  key_rejected: {
    tone: 'failed',
    word: 'Key rejected',
    title: 'The service rejects the admin key',
    remedy:
      'It has expired, was revoked, or belongs to another service. Put a new one where ADMIN_API_KEY_FILE points.',
  },
  forbidden: {
    tone: 'attention',
    word: 'Not allowed',
    title: 'The service refuses what Docket asks for',
    remedy: 'Static export needs an Enterprise plan; the key may only read, or work only from certain addresses.',
  },
  rate_limited: {
    tone: 'attention',
    word: 'Slowed down',
    title: 'The service asked Docket to slow down',
    remedy: 'Docket waits as long as it was told and goes on by itself.',
  },
  unreachable: {
    tone: 'failed',
    word: 'Unreachable',
    title: 'The service cannot be reached',
    remedy:
      'Docket tries again by itself. If it lasts, check the address and the network between Docket and the service.',
  },
  unexpected: {
    tone: 'failed',
    word: 'Unexpected answers',
    title: 'The service answers something unexpected',
    remedy: 'The address may belong to something else, such as the sign-in page of a proxy. Check ADMIN_API_URL.',
  },
}

/** Texts for a status. */
export const labelConnection = ({ connection, mode }: Pick<Status, 'connection' | 'mode'>): ConnectionLabels => {
  if (connection.state !== 'ok' && connection.state !== 'unknown')
    return {
      ...troubles[connection.state],
      remedy: connection.message ?? troubles[connection.state].remedy,
      trouble: true,
    }
  const calm = { remedy: null, trouble: false }
  if (mode === 'local') return { ...calm, tone: 'done', word: 'Local data', title: 'Docket uses its embedded service' }
  return connection.state === 'ok'
    ? { ...calm, tone: 'done', word: 'Connected', title: 'The service answers' }
    : { ...calm, tone: 'waiting', word: 'Not asked yet', title: 'Nothing was asked of the service yet' }
}

/** Host and port of an origin, for narrow places; the text itself when it is no address. */
export const formatHost = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : origin)
