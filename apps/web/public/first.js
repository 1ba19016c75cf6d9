// Runs before the first paint, so that a chosen theme does not flash. The policy of the page allows no inline script.
try {
  const theme = localStorage.getItem('docket.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage can be forbidden; the system's theme is used then.
}

// While the rest is on its way, asks who is signed in and, in a browser that knows somebody, for what the page at this address shows first.
// `get` in lib/api.ts takes the answers over.
{
  const { pathname, search } = location
  const pathsAt = () => {
    const ofList = (list) => [list, `${list}/checks`]
    if (pathname === '/') return [...ofList('/api/static-exports'), ...ofList('/api/agent-jobs')]
    const page = /^\/(?:exports(\/[\w-]+)?|agent-jobs(\/[\w-]+\/[\w-]+)?)$/.exec(pathname)
    const record = page?.[1] ?? page?.[2] ?? ''
    // A filtered list, and one that was loaded further before, are asked for in other words.
    if (!page || (record === '' && (search !== '' || history.state?.list))) return []
    const list = `/api/${pathname.startsWith('/exports') ? 'static-exports' : 'agent-jobs'}`
    return record === '' ? ofList(list) : [`${list}${record}`]
  }
  const knowsSomebody = () => {
    try {
      return /^[a-z]+:/.test(localStorage.getItem('docket.who') ?? '')
    } catch {
      return true
    }
  }
  const isDoor = /^\/(sign-in|setup|link)$/.test(pathname)
  const read = (path) => {
    const response = fetch(path, { cache: 'no-store' })
    // Whoever takes it over meets the failure.
    response.catch(() => undefined)
    return [path, { response, askedMs: performance.now() }]
  }
  const paths = isDoor || !knowsSomebody() ? [] : ['/api/status', ...pathsAt()]
  globalThis.firstReads = new Map(['/api/session', ...paths].map(read))
}
