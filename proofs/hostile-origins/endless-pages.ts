import { htmlPage } from '#packages/site-exporter/src/testing/origin.ts'

const link = (path: string) => `<a href="${path}">on</a>`

/** Pages that lead to ever more pages, each kind in a folder of its own; undefined elsewhere. */
export const endlessPage = (path: string): string | undefined => {
  const [, kind = '', rest = ''] = /^\/endless\/([a-z]+)\/(.*)$/.exec(path) ?? []
  const here = `/endless/${kind}/`
  switch (kind) {
    case 'list':
      return htmlPage(path, link(`${here}${Number(rest) + 1}`) + link(`${here}${Number(rest) + 7}`))
    case 'calendar':
      return htmlPage(path, [1, 2, 3].map((by) => link(`${here}2026/${(Number(rest.slice(5)) || 0) + by}`)).join(''))
    case 'deep':
      return htmlPage(path, link(`${path}x/`))
    case 'echo':
      return htmlPage(path, `<a href="again/">on</a><a href="and/again/">on</a>`)
    case 'same':
      return htmlPage('The same', '', link(`${here}${rest}a`) + link(`${here}${rest}b`))
    case 'query':
      return htmlPage('Query', link(`${here}?page=${path.length}`) + link(`${here}?${rest}&again`))
    case 'fork':
      return htmlPage(
        path,
        'abcde'
          .split('')
          .map((letter) => link(`${here}${rest.slice(-12)}${letter}`))
          .join(''),
      )
    default:
      return undefined
  }
}

/** Where each kind begins. */
export const endlessStarts = ['list', 'calendar', 'deep', 'echo', 'same', 'query', 'fork'].map(
  (kind) => `/endless/${kind}/${/list|calendar/.test(kind) ? '1' : ''}`,
)
