import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { aboutData } from './about-data.ts'
import { firstPaint } from './first-paint.ts'
import { precompress } from './precompress.ts'

const docketUrl = process.env['DOCKET_URL'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), tailwindcss(), aboutData(), firstPaint(), precompress()],
  resolve: {
    // React provides this hook; the shim is for older versions.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  build: {
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // The page allows scripts, styles and fonts from its own origin only, so the build must not inline them as data:
    // URLs.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Pages come together with what they import. The entry would be a third larger with the rest named as well.
      resolveDependencies: (fileName, chunks) =>
        /-(?:page|frame)-/.test(fileName) ? chunks.filter((chunk) => !/(?:first|runtime)-/.test(chunk)) : [],
    },
    rolldownOptions: {
      // No getter of these modules does anything but return a value.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          // One file for every page and one for several: many small ones compress a tenth worse. Features stay apart, because a page
          // shows one or two of them.
          groups: [
            { name: 'entry', tags: ['$initial'], priority: 2 },
            {
              name: 'first',
              // Also modules that almost every page needs, and those for which the list of exports would load `shared`.
              test: /src\/(?:app\/(?:start|titles\/headings|address\/use-list-search)|ui\/(?:forms\/(?:filter-)?field|records\/stale-notice|layout\/empty-state))\.tsx?$|[iI]nfiniteQuery|icons\/unplug/,
              priority: 1,
            },
            // Rows, start and progress of exports are on every page about exports.
            {
              name: 'exports',
              test: /src\/features\/records\/static-exports\/(?!domain|details|artifacts|upload|actions\/with-undo)/,
              minShareCount: 2,
            },
            { name: 'shared', test: /src\/(?:ui|lib)|node_modules/, minShareCount: 4 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': docketUrl,
      // The server redirects to a hostname at its own port.
      '/help': { target: docketUrl, changeOrigin: true },
    },
  },
})
