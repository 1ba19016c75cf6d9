ALTER TABLE "connections" ADD COLUMN "sealed_headers" text;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "sealed_client_certificate" text;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "header_names" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "client_certificate_expires_on" date;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "another_service" boolean DEFAULT false NOT NULL;