ALTER TABLE "channels" RENAME COLUMN "gate" TO "publish_checks";--> statement-breakpoint
UPDATE "releases" SET "kind" = 'publication' WHERE "kind" = 'promotion';--> statement-breakpoint
UPDATE "proposals" SET "outcome" = 'published' WHERE "outcome" = 'promoted';
