import { createHash } from 'node:crypto'
import type { SourceSite } from '#readers/source-site.ts'
import { type Addresses, encodePath } from '#writer/addresses.ts'
import type { Media } from '#writer/media.ts'
import { resolveBrandLinks, type LinkFrom } from './brand-links.ts'
import { buildBrandStyles } from './brand-styles.ts'
import { readInlineText, type InlineText } from './inline-text.ts'

export type Look = {
  link: LinkFrom
  banner: InlineText | null
  /** Key under which a browser stores that the reader closed the banner. */
  bannerKey: string | null
  leads: ReadonlyMap<string, InlineText>
  texts: readonly InlineText[]
  /** Public addresses of preview pictures, by their addresses in the source. */
  pictures: ReadonlyMap<string, string>
  styles: string
  hasFonts: boolean
}

/** Resolves the links, texts and files of a brand once. `leave` reports settings that cannot be honoured. */
export const createLook = async (
  site: SourceSite,
  deps: {
    base: string | null
    addresses: Addresses
    media: Media
    leave: (file: string, what: string, kind: 'left-out' | 'broken-link') => void
  },
): Promise<Look> => {
  const { brand } = site
  for (const what of brand.leftOut) deps.leave(brand.file, what, 'left-out')
  const banner = brand.banner && readInlineText(brand.banner.text)
  const texts = brand.footer.texts.map(readInlineText)
  const leads = readLeads(site)
  const inTexts = [...(banner ? [banner] : []), ...texts, ...leads.values()].flatMap(({ addresses }) => addresses)
  const link = await resolveBrandLinks(site, inTexts, {
    ...deps,
    leave: (what) => deps.leave(brand.file, what, 'broken-link'),
  })
  const leave = (what: string) => deps.leave(brand.file, what, 'left-out')
  const pictures = await resolvePreviewPictures(site, { ...deps, leave })
  const bannerKey = banner && createHash('sha256').update(JSON.stringify(banner)).digest('hex').slice(0, 12)
  return {
    link,
    banner,
    bannerKey,
    leads,
    texts,
    pictures,
    ...(await buildBrandStyles(site.colors, brand, { media: deps.media, leave })),
  }
}

/** Most descriptions are plain text. */
const marked = /`[^`]+`|\*\*[^*]+\*\*|\]\(/

const readLeads = ({ pages }: SourceSite) =>
  new Map(
    [...pages].flatMap(([path, { description }]): [string, InlineText][] =>
      description !== null && marked.test(description)
        ? [[path, readInlineText({ text: description, notation: 'markdown' })]]
        : [],
    ),
  )

const pictureNames = /^(og:image|twitter:image)(:src|:url|:secure_url)?$/

export const isPicture = (name: string): boolean => pictureNames.test(name)

/** Public addresses of the pictures for previews of links. Only programs that generate previews load them; pages do not. */
const resolvePreviewPictures = async (
  { brand, pages }: SourceSite,
  { base, media, leave }: { base: string | null; media: Media; leave: (what: string) => void },
): Promise<ReadonlyMap<string, string>> => {
  const all = [...brand.metatags, ...[...pages.values()].flatMap((page) => page.brand.metatags)]
  const wanted = new Set(all.filter(([name]) => isPicture(name)).map(([, value]) => value))
  const pictures = new Map<string, string>()
  for (const address of wanted) {
    if (/^https?:/i.test(address)) {
      if (URL.canParse(address)) pictures.set(address, new URL(address).href)
    } else if (base === null) leave(`the preview picture ${address.slice(0, 200)}: previews need a public domain`)
    else {
      const copied = await media.copy([address.replace(/^\.?\//, '')])
      if ('file' in copied) pictures.set(address, `${base}/${encodePath(copied.file)}`)
      else leave(`the preview picture ${address.slice(0, 200)}: ${copied.problem}`)
    }
  }
  return pictures
}
