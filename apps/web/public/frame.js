// Shows the frame that fits the address before the first paint. The app replaces all of it.
{
  const { pathname } = location
  const isAuth = /^\/(sign-in|setup|link)$/.test(pathname)
  const mark = { frame: isAuth ? 'auth' : 'app', heading: pathname, switcher: 'several' }
  try {
    if (JSON.parse(localStorage.getItem('docket.connections') ?? '[]').length < 2) mark.switcher = 'one'
  } catch {
    mark.switcher = 'one'
  }
  for (const [name, value] of Object.entries(mark))
    for (const part of document.querySelectorAll(`[data-${name}]`))
      part.hidden = !part.dataset[name].split(' ').includes(value)
  for (const entry of document.querySelectorAll('[data-within]')) {
    const isWithin = (path) => pathname === path || (path !== '/' && pathname.startsWith(`${path}/`))
    if (entry.dataset.within.split(' ').some(isWithin)) entry.ariaCurrent = 'page'
  }
}
