// Tabs, code that can be copied, and opening whatever hides the place that an address names.
;(() => {
  'use strict'
  const { make, decoded } = window.docket

  addEventListener('DOMContentLoaded', () => {
    document.querySelectorAll('.tabs').forEach(tabList)
    document.querySelectorAll('figure.code').forEach(copyButton)
    reveal()
    addEventListener('hashchange', reveal)
  })

  let tabLists = 0
  function tabList(tabs) {
    const panels = [...tabs.children]
      .filter((child) => child.matches('.tab, figure.code'))
      .map((child) => {
        if (!child.matches('figure')) return child
        // A figure may not be a tab panel, its wrapper may.
        const wrapper = make('div', {})
        child.replaceWith(wrapper)
        wrapper.append(child)
        return wrapper
      })
    if (panels.length < 2) return
    const list = make('div', { className: 'tab-list' })
    list.setAttribute('role', 'tablist')
    const group = `tabs-${++tabLists}`
    const select = (wanted, focus) => {
      panels.forEach((panel, index) => {
        panel.hidden = index !== wanted
        list.children[index].setAttribute('aria-selected', String(index === wanted))
        list.children[index].tabIndex = index === wanted ? 0 : -1
      })
      if (focus) list.children[wanted].focus()
    }
    panels.forEach((panel, index) => {
      const title = panel.querySelector(':scope > .tab-title, :scope > figure > figcaption')
      const language = panel.querySelector(':scope > figure code')?.dataset.language
      const button = make('button', {
        type: 'button',
        id: `${group}-${index}`,
        textContent: title?.textContent || language || `Tab ${index + 1}`,
      })
      if (title) title.hidden = true
      button.setAttribute('role', 'tab')
      button.addEventListener('click', () => select(index, false))
      panel.id ||= `${group}-panel-${index}`
      panel.addEventListener('docket-reveal', () => select(index, false))
      button.setAttribute('aria-controls', panel.id)
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', button.id)
      list.append(button)
    })
    list.addEventListener('keydown', (event) => {
      const now = panels.findIndex((panel) => !panel.hidden)
      const last = panels.length - 1
      const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key]
      if (next === undefined) return
      event.preventDefault()
      select(next < 0 ? last : next > last ? 0 : next, true)
    })
    tabs.prepend(list)
    tabs.classList.add('has-list')
    select(0, false)
  }

  /** Opens whatever hides the part of the page that the address names. */
  function reveal() {
    const target = location.hash && document.getElementById(decoded(location.hash.slice(1)))
    if (!target || target.checkVisibility?.()) return
    for (let at = target; at; at = at.parentElement) {
      if (at.matches('details')) at.open = true
      if (at.matches('[role=tabpanel]')) at.dispatchEvent(new Event('docket-reveal'))
    }
    target.scrollIntoView()
  }

  function copyButton(figure) {
    const code = figure.querySelector('code')
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
