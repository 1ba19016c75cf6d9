import type { SourceSite } from '#readers/source-site.ts'
import { encodePart } from '#writer/addresses.ts'
import type { Media } from '#writer/media.ts'

const names = /^(og:image|twitter:image)(:src|:url|:secure_url)?$/

/** True for a meta tag with the address of a picture. */
export const isPicture = (name: string): boolean => names.test(name)

/** Public addresses of the pictures for previews of links. Only programs that make previews load them, no page does. */
export const previewPictures = async (
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
      if ('file' in copied) pictures.set(address, `${base}/${copied.file.split('/').map(encodePart).join('/')}`)
      else leave(`the preview picture ${address.slice(0, 200)}: ${copied.problem}`)
    }
  }
  return pictures
}
