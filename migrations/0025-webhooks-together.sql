-- Events of several organizations are fanned out, and deliveries to several signed, in one transaction.
create policy deliver on app.spaces for select using (app.current_task() = 'deliver-webhooks');
create policy deliver on app.webhook_secrets for select using (app.current_task() = 'deliver-webhooks');
