// Begins the reads of the first page while its scripts load. The app takes each over once; see lib/api/preloaded.ts.
{
  const pages = [
    [/^\/exports$/, '/api/static-exports', '/api/static-exports/checks'],
    [/^\/agent-jobs$/, '/api/agent-jobs', '/api/agent-jobs/checks'],
    [
      /^\/(?:sites)?$/,
      '/api/overview/sites',
      '/api/static-exports?attention=true',
      '/api/static-exports/checks?attention=true',
      '/api/agent-jobs?attention=true',
      '/api/agent-jobs/checks?attention=true',
    ],
    [/^\/exports\/([\w-]+)/, '/api/static-exports/$1'],
    [/^\/sites\/([\w-]+)/, '/api/sites/$1'],
  ]
  const { pathname, search, hash } = location
  const reads = (globalThis.preloadedReads = new Map())
  const ask = (path) => fetch(path, { cache: 'no-store' }).catch(() => undefined)
  // A session that is handed over begins with the app, and so do reads of a page with filters.
  if (!hash.startsWith('#handover=')) {
    const session = ask('/api/session')
    const isIn = session
      .then((response) => response.clone().json())
      .then(({ person, ownAddress }) => person !== null && person.role !== 'none' && ownAddress === null)
      .catch(() => false)
    const page = search === '' && pages.find(([address]) => address.test(pathname))
    const paths = page ? page.slice(1).map((path) => pathname.match(page[0])[0].replace(page[0], path)) : []
    reads.set('/api/session', session)
    if (!/^\/(sign-in|setup|link)$/.test(pathname))
      for (const path of ['/api/status', ...paths])
        reads.set(
          path,
          isIn.then((yes) => (yes ? ask(path) : undefined)),
        )
  }
}
