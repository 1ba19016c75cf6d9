DROP INDEX "proposals_open";--> statement-breakpoint
ALTER TABLE "proposals" ALTER COLUMN "export_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "proposals" ALTER COLUMN "sha256" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "proposals" ADD COLUMN "asked_with" text;--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_open" ON "proposals" USING btree ("channel_id",("sha256" is null)) WHERE "proposals"."ended_at" is null;--> statement-breakpoint
-- The person behind a token asks.
UPDATE "proposals" p SET "asked_with" = p."asked_by", "asked_by" = t."created_by_name",
  "asked_by_id" = coalesce((SELECT u."id"::text FROM "users" u WHERE u."id" = t."created_by"), p."asked_by_id")
  FROM "api_tokens" t WHERE t."token_id"::text = p."asked_by_id";
