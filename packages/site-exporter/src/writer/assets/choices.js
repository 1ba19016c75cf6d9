// Updates by tag, and long code that opens.
;(() => {
  'use strict'
  const { make } = window.docket

  addEventListener('DOMContentLoaded', () => {
    updateFilter()
    document.querySelectorAll('figure.code.expandable').forEach(shorten)
  })

  /** Buttons for the tags of the updates. All are shown until a reader chooses. */
  function updateFilter() {
    const updates = [...document.querySelectorAll('article .update')]
    const tagsIn = (update) => [...update.querySelectorAll('.update-head > .tags > li')].map((tag) => tag.textContent)
    const tags = [...new Set(updates.flatMap(tagsIn))].sort((a, b) => a.localeCompare(b))
    if (tags.length < 2) return
    const group = make('div', { className: 'update-filter' })
    group.setAttribute('role', 'group')
    group.setAttribute('aria-label', 'Updates by tag')
    const chosen = new Set()
    const show = () => {
      for (const update of updates) update.hidden = chosen.size > 0 && !tagsIn(update).some((tag) => chosen.has(tag))
      for (const button of group.children) button.setAttribute('aria-pressed', String(chosen.has(button.value)))
    }
    for (const tag of tags) {
      const button = make('button', { type: 'button', value: tag, textContent: tag })
      button.addEventListener('click', () => {
        if (!chosen.delete(tag)) chosen.add(tag)
        show()
      })
      group.append(button)
    }
    for (const update of updates)
      update.addEventListener('docket-reveal', () => {
        chosen.clear()
        show()
      })
    show()
    updates[0].before(group)
  }

  /** Shows the first lines of long code until a reader asks for all. */
  function shorten(figure) {
    if (figure.querySelector('code').textContent.split('\n').length <= 16) return
    const button = make('button', { type: 'button', className: 'show-all' })
    const show = (isShort) => {
      figure.classList.toggle('is-short', isShort)
      button.textContent = isShort ? 'Show all' : 'Show less'
      button.setAttribute('aria-expanded', String(!isShort))
    }
    button.addEventListener('click', () => show(!figure.classList.contains('is-short')))
    figure.append(button)
    show(true)
  }
})()
