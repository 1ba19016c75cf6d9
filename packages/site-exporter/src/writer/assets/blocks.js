// Code that can be copied, and opening whatever hides the place that an address names.
;(() => {
  'use strict'
  const { make, decoded } = window.docket

  addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('figure.code, .prompt').forEach(copyButton)
    reveal()
    addEventListener('hashchange', reveal)
  })

  /** Opens whatever hides the part of the page that the address names. */
  function reveal() {
    const target = location.hash && document.getElementById(decoded(location.hash.slice(1)))
    if (!target || target.checkVisibility?.()) return
    for (let at = target; at; at = at.parentElement) {
      if (at.matches('details')) at.open = true
      if (at.matches('[role=tabpanel], .api-style, .update')) at.dispatchEvent(new Event('docket-reveal'))
    }
    target.scrollIntoView()
  }

  function copyButton(figure) {
    const code = figure.matches('.prompt') ? figure.querySelector('.prompt-text') : figure.querySelector('code')
    if (!code) return
    if (navigator.clipboard) {
      const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
      button.addEventListener('click', async () => {
        try {
          await navigator.clipboard.writeText(code.textContent)
          button.textContent = 'Copied'
        } catch {
          button.textContent = 'Not allowed'
        }
        setTimeout(() => (button.textContent = 'Copy'), 1500)
      })
      figure.append(button)
    }
    const { language } = code.dataset
    if (!language) return
    const label = make('span', { className: 'language', textContent: language })
    label.setAttribute('aria-hidden', 'true')
    figure.append(label)
  }
})()
