// Links to headings, and the table of contents.
;(() => {
  'use strict'
  const { make, decoded } = window.docket

  addEventListener('DOMContentLoaded', () => {
    // Before headings get links, whose marks are no part of their words.
    contentsAbove()
    markHeading()
    // A link in a summary would be a control in a control.
    document.querySelectorAll('article :is(h2, h3, h4, h5, h6)[id]:not(summary *)').forEach(headingLink)
  })

  function headingLink(heading) {
    const link = make('a', { className: 'anchor', href: `#${encodeURIComponent(heading.id)}`, textContent: '#' })
    link.setAttribute('aria-label', `Link to “${heading.textContent}”`)
    heading.append(link)
  }

  function contentsAbove() {
    const contents = document.querySelector('.contents ul')
    const place = document.querySelector('.lead') ?? document.querySelector('article > h1')
    if (!contents || !place) return
    const list = contents.cloneNode(true)
    const { textContent } = document.querySelector('.contents > p')
    place.after(make('details', { className: 'contents-above' }, make('summary', { textContent }), list))
  }

  function markHeading() {
    const bar = document.querySelector('.contents')
    const links = new Map(
      [...document.querySelectorAll('.contents a')].map((link) => [decoded(link.hash.slice(1)), link]),
    )
    const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean)
    if (headings.length === 0) return
    let marked = null
    const mark = () => {
      const shown = headings.filter((heading) => heading.getClientRects().length > 0)
      const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      const above = shown.filter((heading) => heading.getBoundingClientRect().top < 140)
      const current = links.get((isAtEnd ? shown.at(-1) : (above.at(-1) ?? shown[0]))?.id)
      if (!current || current === marked) return
      marked?.removeAttribute('aria-current')
      marked = current
      current.setAttribute('aria-current', 'true')
      const place = current.offsetTop
      if (place < bar.scrollTop || place > bar.scrollTop + bar.clientHeight - 60)
        bar.scrollTop = place - bar.clientHeight / 2
    }
    let asked = false
    addEventListener(
      'scroll',
      () => {
        if (asked) return
        asked = true
        requestAnimationFrame(() => {
          asked = false
          mark()
        })
      },
      { passive: true },
    )
    mark()
  }
})()
