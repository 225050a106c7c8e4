<?php
/**
 * WordPress and WooCommerce for the plugin examples/woocommerce: those of their functions that it calls, as their manuals
 * describe them. Requests are real ones. Runs the scene that its first argument names, with what the standard input has, and
 * prints what came of it as JSON.
 */

define('ABSPATH', __DIR__);

$input = json_decode(stream_get_contents(STDIN), true);
$options = $input['options'] ?? [];
$hooks = $scripts = $scheduled = $registered = $settingsFields = $settingsErrors = $blockFields = $orders = [];

/* Hooks. */
function add_action(string $hook, callable|string $function, int $priority = 10, int $accepted = 1): void
{
    $GLOBALS['hooks'][$hook][] = [$function, $accepted];
}
function do_action(string $hook, ...$args): void
{
    foreach ($GLOBALS['hooks'][$hook] ?? [] as [$function, $accepted]) {
        $function(...array_slice($args, 0, $accepted));
    }
}

/* Texts. */
function __(string $text): string
{
    return $text;
}
function esc_html($text): string
{
    return htmlspecialchars((string) $text, ENT_QUOTES);
}
function esc_attr($text): string
{
    return htmlspecialchars((string) $text, ENT_QUOTES);
}
function esc_html__(string $text): string
{
    return esc_html($text);
}
function esc_url(string $url): string
{
    return preg_match('#^https?://#', $url) ? esc_attr($url) : '';
}
function sanitize_text_field(string $text): string
{
    return trim(preg_replace('/\s+/', ' ', strip_tags((string) iconv('UTF-8', 'UTF-8//IGNORE', $text))));
}
function wp_unslash($value)
{
    return stripslashes($value);
}

if (!function_exists('mb_substr')) {
    function mb_substr(string $text, int $from, int $length): string // WordPress has it also without the extension.
    {
        return (string) iconv_substr($text, $from, $length, 'UTF-8');
    }
}

/* Options and settings. */
function get_option(string $name, $default = false)
{
    return $GLOBALS['options'][$name] ?? $default;
}
function register_setting(string $group, string $name, array $args): void
{
    $GLOBALS['registered'][$name] = $args['sanitize_callback'];
}
function add_settings_section(): void
{
}
function add_settings_field(string $name, string $title, callable $print, string $page, string $section, array $args): void
{
    $GLOBALS['settingsFields'][] = [$title, $print, $args];
}
function add_settings_error(string $setting, string $code, string $message): void
{
    $GLOBALS['settingsErrors'][] = $message;
}
function add_options_page(string $title, string $menu, string $capability, string $slug, callable $print): void
{
    $GLOBALS['printSettings'] = $print;
}
function current_user_can(string $capability): bool
{
    return in_array($capability, $GLOBALS['input']['capabilities'] ?? [], true);
}
function settings_fields(): void
{
    echo '<input type="hidden" name="_wpnonce" value="nonce">';
}
function do_settings_sections(): void
{
    foreach ($GLOBALS['settingsFields'] as [$title, $print, $args]) {
        echo "<label for=\"{$args['label_for']}\">$title</label>";
        $print($args);
    }
}
function submit_button(): void
{
    echo '<button>Save Changes</button>';
}

/* Scripts and pages. */
function is_checkout(): bool
{
    return $GLOBALS['input']['isCheckout'] ?? true;
}
function plugins_url(string $file): string
{
    return "/wp-content/plugins/postcode-gateway/$file";
}
function wp_enqueue_script(string $handle, string $src, array $after, string $version, array $args): void
{
    $GLOBALS['scripts'][] = sprintf('<script src="%s" id="%s-js" %s></script>', esc_url_raw("$src?ver=$version"), $handle, $args['strategy']);
}
function esc_url_raw(string $url): string
{
    return $url;
}

/* Requests. */
class WP_Error
{
    public function __construct(private string $message)
    {
    }
    public function get_error_message(): string
    {
        return $this->message;
    }
}
function is_wp_error($value): bool
{
    return $value instanceof WP_Error;
}
function wp_remote_get(string $url, array $args)
{
    $headers = array_map(fn ($name, $value) => "$name: $value", array_keys($args['headers']), $args['headers']);
    $context = stream_context_create(['http' => [
        'header' => $headers,
        'timeout' => $args['timeout'],
        'max_redirects' => $args['redirection'] + 1,
        'follow_location' => $args['redirection'],
        'ignore_errors' => true,
    ]]);
    $http_response_header = [];
    $body = @file_get_contents($url, false, $context, 0, $args['limit_response_size']);
    if ($body === false || $http_response_header === []) {
        return new WP_Error(error_get_last()['message'] ?? 'no response');
    }
    return ['code' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body];
}
function wp_remote_retrieve_response_code(array $response): int
{
    return $response['code'];
}
function wp_remote_retrieve_body(array $response): string
{
    return $response['body'];
}
function wp_schedule_single_event(int $time, string $hook, array $args): void
{
    $GLOBALS['scheduled'][] = ['in_s' => $time - time(), 'hook' => $hook, 'args' => $args];
}

/* Orders. */
class WC_Order
{
    public array $meta = [];
    public array $notes = [];
    public function get_id(): int
    {
        return 7;
    }
    public function get_meta(string $name)
    {
        return $this->meta[$name] ?? '';
    }
    public function update_meta_data(string $name, $value): void
    {
        $this->meta[$name] = $value;
    }
    public function add_order_note(string $note): void
    {
        $this->notes[] = $note;
    }
    public function save(): void
    {
        $GLOBALS['orders'][7] = $this;
    }
}
function wc_get_order(int $id)
{
    return $GLOBALS['orders'][$id] ?? false;
}
if ($input['hasBlocks'] ?? false) {
    function woocommerce_register_additional_checkout_field(array $field): void
    {
        $GLOBALS['blockFields'][$field['id']] = $field;
    }
}

require __DIR__ . '/../../../examples/woocommerce/postcode-gateway.php';
do_action('before_woocommerce_init');
do_action('woocommerce_init');

/** Runs what is due, as WP-Cron does, at most so often. */
function runScheduled(int $most): array
{
    $pauses = [];
    while ($most-- > 0 && ($event = array_shift($GLOBALS['scheduled'])) !== null) {
        $pauses[] = $event['in_s'];
        do_action($event['hook'], ...$event['args']);
    }
    return $pauses;
}

function printed(callable $print): string
{
    ob_start();
    $print();
    return ob_get_clean();
}

$order = new WC_Order();
switch ($argv[1]) {
    case 'page':
        do_action('wp_enqueue_scripts');
        $result = ['scripts' => implode('', $scripts), 'field' => printed(fn () => do_action('woocommerce_after_checkout_billing_form', null))];
        break;
    case 'order':
        $_POST = array_map(fn ($value) => is_string($value) ? addslashes($value) : $value, $input['post']);
        do_action('woocommerce_checkout_create_order', $order, []);
        $order->save();
        do_action('woocommerce_checkout_order_processed', 7, [], $order);
        $pauses = runScheduled($input['runs'] ?? 1);
        $result = ['meta' => (object) $order->meta, 'notes' => $order->notes, 'pauses' => $pauses, 'waiting' => count($scheduled),
            'shown' => printed(fn () => do_action('woocommerce_admin_order_data_after_billing_address', $order))];
        break;
    case 'block':
        $field = $blockFields['postcode-gateway/code'];
        $order->meta['_wc_other/postcode-gateway/code'] = $field['sanitize_callback']($input['code']);
        do_action('woocommerce_store_api_checkout_order_processed', $order);
        runScheduled(1);
        $result = ['required' => $field['required'], 'meta' => (object) $order->meta, 'notes' => $order->notes];
        break;
    case 'settings':
        do_action('admin_menu');
        do_action('admin_init');
        $_POST = array_map('addslashes', $input['post']);
        foreach ($registered as $name => $sanitize) {
            $options[$name] = $sanitize(wp_unslash($_POST[$name] ?? ''));
        }
        $result = ['options' => $options, 'errors' => $settingsErrors, 'page' => printed($printSettings)];
}
echo json_encode($result, JSON_THROW_ON_ERROR);
