import type { PortableSearch } from '@docket/portable-site/built-site'
import type { Root } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { readLanguageTag } from '#site/language.ts'
import { findWording } from '#site/words.ts'
import { formatWordsFile, toWordsFile } from '#writer/frame/language.ts'
import { readAsset, readSearchTerms } from '#writer/extras/extras.ts'
import { createSearchIndex } from './search-index.ts'
import { readSections } from './page-text.ts'

/** Words for the `lang` of a page, which may be any text. */
const findLanguageWording = (lang: string) => findWording(readLanguageTag(lang) ?? 'en')

/** Colours, as in the frame of rendered pages; `data-dark` is set on dark pages. */
const colors = `:host{--line:#d9dce3;--surface:#fff;--raised:#f5f6f8;--text:#1c2029;--soft:#5b6270;--accent:#2450b8;--tint:#eef2fc;color:var(--text);font:16px/1.5 system-ui,sans-serif}
:host([data-dark]){--line:#363b47;--surface:#181b21;--raised:#20242c;--text:#e6e8ed;--soft:#a2a9b6;--accent:#8fb0ff;--tint:#222b40;color-scheme:dark}
*{box-sizing:border-box;font-family:inherit}
:host>button,.search-button{position:fixed;inset-block-end:1rem;inset-inline-end:1rem;z-index:2147483000;padding:.625rem .875rem;border:1px solid var(--line);border-radius:999px;background:var(--surface);color:var(--text);font-size:.875rem;box-shadow:0 2px 12px rgb(0 0 0/.16);cursor:pointer}
.search-button[hidden]{display:none}
a{color:inherit}
@media print{:host{display:none}}
`

/** The same search as in rendered pages, for pages with styles of their own. */
export const portableSearch: PortableSearch = {
  createIndex: createSearchIndex,
  readSections: (element) => readSections({ type: 'root', children: [fromParse5(element)] } as Root),
  formatWords: (lang) => {
    const words = findLanguageWording(lang)
    return { file: toWordsFile(words), script: formatWordsFile(words) }
  },
  readFiles: async () => {
    const [index, dialog, styles] = await Promise.all(['search-index.js', 'search.js', 'site.css'].map(readAsset))
    // The dialog is in a shadow root, which is its document.
    const script = `${await readSearchTerms()}${index};((document, addEventListener) => {\n${dialog}})(docket.place, docket.listen)\n`
    return new Map([
      ['_docket/search.js', script],
      ['_docket/search.css', styles + colors],
    ])
  },
}
