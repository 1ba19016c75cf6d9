import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { Plugin } from 'vite'
import { Frame } from './src/app/frame/frame.tsx'

/**
 * Puts the frame of the app into the page, so that the browser paints it before any script has run, and names the app's
 * chunk there, so that the chunk does not wait for the entry that imports it.
 */
export const firstPaint = (): Plugin => ({
  name: 'first-paint',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => ({
      html: html.replace('<!--frame-->', renderToStaticMarkup(createElement(Frame))),
      tags: Object.values(bundle)
        .filter(({ fileName }) => /\/first-[^/]+\.js$/.test(fileName))
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
          injectTo: 'head',
        })),
    }),
  },
})
