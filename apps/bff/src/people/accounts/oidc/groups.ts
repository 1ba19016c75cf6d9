import { z } from 'zod'
import type { OidcSettings } from '#ground/config/oidc.ts'
import { HoldableText } from '#ground/db/pages.ts'

type Document = Readonly<Record<string, unknown>>

/** `because`: why these groups give no role, for the log. `isRead` is false when the claim is absent or has a form that Docket doesn't read. */
export type ReadGroups = { groups: readonly string[]; isRead: boolean; because: string }

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Finds a claim by its exact name, then by parts of it: `realm_access.roles` is also `roles` in `realm_access`. */
const findClaim = (at: unknown, parts: readonly string[]): unknown => {
  if (parts.length === 0) return at
  if (!isDocument(at)) return undefined
  for (let taken = parts.length; taken > 0; taken -= 1) {
    const name = parts.slice(0, taken).join('.')
    const found = Object.hasOwn(at, name) ? findClaim(at[name], parts.slice(taken)) : undefined
    if (found !== undefined && found !== null) return found
  }
  return undefined
}

const quote = (values: readonly string[]): string =>
  values
    .slice(0, 10)
    .map((one) => JSON.stringify(one.length > 60 ? `${one.slice(0, 60)}…` : one))
    .join(', ') + (values.length > 10 ? ' …' : '')

// The only claims whose keys are role names: of other objects, such as Keycloak's `resource_access`, they are something else.
const keyedByRole = /^urn:zitadel:iam:org:project:(?:\d+:)?roles$/

const readJsonList = (text: string): unknown[] | null => {
  try {
    return z.array(z.unknown()).parse(JSON.parse(text))
  } catch {
    return null
  }
}

const listValues = (found: unknown, { groupsClaim, groupsSeparator }: OidcSettings): unknown[] | null => {
  if (Array.isArray(found)) return found
  if (isDocument(found)) return keyedByRole.test(groupsClaim) ? Object.keys(found) : null
  if (typeof found !== 'string') return null
  const list = found.startsWith('[') ? readJsonList(found) : null
  if (list !== null || groupsSeparator === null) return list ?? [found]
  return found.split(groupsSeparator === 'comma' ? ',' : ' ').map((one) => one.trim())
}

// Display names are not unique, so whoever chooses one could choose a role.
const toName = (value: unknown): string[] => {
  const { success, data } = HoldableText.min(1).safeParse(isDocument(value) ? value['name'] : value)
  return success ? [data] : []
}

/** Keycloak writes the group `docs` as `/docs`. Deeper paths keep their slashes, because other groups may have subgroups of any name. */
const withoutSlash = (name: string): string[] => (/^\/[^/]+$/.test(name) ? [name, name.slice(1)] : [name])

const explainAbsence = (documents: readonly Document[], claim: string): string => {
  const overage = documents.some(
    (one) =>
      findClaim(one, ['_claim_names', claim]) !== undefined || one['hasgroups'] === true || one['hasgroups'] === 'true',
  )
  if (overage)
    return `The person is in so many groups that the provider sent a reference instead of the claim ${claim} (overage). Let it send only groups assigned to Docket, or app roles with OIDC_GROUPS_CLAIM=roles`
  const names = quote([...new Set(documents.flatMap((one) => Object.keys(one)))].toSorted())
  const places =
    documents.length > 1 ? 'neither the ID token nor the userinfo response has' : 'the ID token doesn’t have'
  return `The claim ${claim} is absent: ${places} it. Add it at the provider, or set OIDC_SCOPES or OIDC_GROUPS_CLAIM. There are ${names}`
}

const explainForm = (found: unknown, claim: string): string => {
  const [one, list] = Array.isArray(found) ? [found[0] as unknown, 'list of '] : [found, '']
  const what = isDocument(one) ? `object with ${quote(Object.keys(one))}` : typeof one
  return `The claim ${claim} is not a list of texts (its form: ${list}${what}). Let the provider send texts, or name a part of it, such as OIDC_GROUPS_CLAIM=${claim}.roles`
}

/** Reads the groups of a person from the ID token and the userinfo response, in this order. */
export const readGroups = (documents: readonly Document[], settings: OidcSettings): ReadGroups => {
  const { groupsClaim, groupsSeparator } = settings
  const parts = groupsClaim.split('.')
  const unread = (because: string) => ({ groups: [], isRead: false, because })
  const found = documents.map((one) => findClaim(one, parts)).find((one) => one !== undefined)
  if (found === undefined) return unread(explainAbsence(documents, groupsClaim))
  const values = listValues(found, settings)
  const names = values?.flatMap(toName) ?? []
  if (values === null || (names.length === 0 && values.length > 0)) return unread(explainForm(found, groupsClaim))
  const several =
    typeof found === 'string' && groupsSeparator === null && /[ ,]/.test(found)
      ? '. If this text lists several groups, set OIDC_GROUPS_SEPARATOR'
      : ''
  return {
    groups: [...new Set(names.flatMap(withoutSlash))],
    isRead: true,
    because:
      names.length === 0
        ? `The claim ${groupsClaim} is empty`
        : `The claim ${groupsClaim} has ${names.length} ${names.length === 1 ? 'value' : 'values'}, and none is a group with a role: ${quote(names)}${several}`,
  }
}
