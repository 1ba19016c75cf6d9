// Keeps the page of a working job current, without the jump of a reload. Only what changed is touched, so a screen reader
// announces the status once and the keyboard stays where it is.
const parts = () => [...document.querySelectorAll('[data-live]')]

const look = async () => {
  const answer = await fetch(location.href).catch(() => null)
  const next = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  for (const part of next ? parts() : []) {
    const fresh = next.querySelector(`[data-live="${part.dataset.live}"]`)
    if (fresh && fresh.innerHTML !== part.innerHTML) part.replaceChildren(...fresh.childNodes)
  }
  // The page of a finished job does not ask for this script any more.
  if (!next || next.querySelector('script[src="/code-host.js"]')) setTimeout(look, 2000)
}

setTimeout(look, 2000)
