import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.ts'
import { routeChunks } from './route-chunks.ts'

export default defineConfig({
  plugins: [react(), tailwindcss(), routeChunks(), precompress()],
  build: {
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // The page allows scripts, styles and fonts from its own origin only, so nothing may become a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every page needs, in two files: many small ones compress a tenth worse. Long lists and timelines are on some pages only.
          groups: [
            {
              name: 'vendor',
              test: /node_modules.(?:\.pnpm.)?(?:react|react-dom|scheduler|@tanstack.(?:react-query|query-core)|use-sync-external-store)[@/\\+]/,
            },
            { name: 'base', test: /src.(?:lib|ui).(?!list|tiles|delta|timeline|durations)/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env['DOCKET_URL'] ?? 'http://127.0.0.1:3000' } },
})
