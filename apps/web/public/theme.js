// Runs before the first paint, so that nothing flashes. The policy of the page allows no inline script.
{
  const { dataset } = document.documentElement
  const { pathname, hash } = location
  try {
    const theme = localStorage.getItem('docket.theme')
    if (theme === 'light' || theme === 'dark') dataset.theme = theme
    // Somebody known here gets the frame of the app, everybody else that of the sign-in.
    const isKnown = /^\w+:/.test(localStorage.getItem('docket.who') ?? '') || hash.startsWith('#handover=')
    if (!isKnown || /^\/(sign-in|setup|link)$/.test(pathname)) dataset.frame = 'auth'
    if (JSON.parse(localStorage.getItem('docket.connections') ?? '[]').length > 1) dataset.connections = ''
  } catch {
    // Storage can be forbidden; the system's theme is used then.
  }
}
