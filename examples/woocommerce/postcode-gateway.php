<?php
/**
 * Plugin Name: Postcode Gateway for WooCommerce
 * Description: Postcodes at the checkout: the widget, the code in the order, and a check that never blocks an order.
 * Version: 0.1.0
 * Requires at least: 6.3
 * Requires PHP: 8.0
 * Requires Plugins: woocommerce
 * License: MIT
 *
 * The file of the widget, postcode-widget.js, is beside this one.
 */

defined('ABSPATH') || exit;

const POSTCODE_GATEWAY_FIELD = 'national_postcode';
/** The pauses before further checks of an order, in seconds, while the service cannot be reached. */
const POSTCODE_GATEWAY_PAUSES = [300, 1800, 7200, 28800, 86400];
/** The states of the widget's field in which there is no whole postcode that could be checked. */
const POSTCODE_GATEWAY_DESCRIBED = ['partial', 'unlisted', 'unavailable'];

add_action('wp_enqueue_scripts', 'postcode_gateway_enqueue');
add_action('woocommerce_after_checkout_billing_form', 'postcode_gateway_field');
add_action('woocommerce_checkout_create_order', 'postcode_gateway_take');
add_action('woocommerce_checkout_order_processed', 'postcode_gateway_schedule');
add_action('woocommerce_init', 'postcode_gateway_register_block_field');
add_action('woocommerce_store_api_checkout_order_processed', 'postcode_gateway_take_from_block');
add_action('postcode_gateway_check_order', 'postcode_gateway_check_order', 10, 2);
add_action('woocommerce_admin_order_data_after_billing_address', 'postcode_gateway_show');
add_action('admin_menu', 'postcode_gateway_menu');
add_action('admin_init', 'postcode_gateway_settings');
add_action('before_woocommerce_init', 'postcode_gateway_declare');

/** Orders are read and written only through WC_Order, so they may be in tables of their own (HPOS). */
function postcode_gateway_declare(): void
{
    if (class_exists('Automattic\WooCommerce\Utilities\FeaturesUtil')) {
        Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('custom_order_tables', __FILE__);
        Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility('cart_checkout_blocks', __FILE__);
    }
}

/* At the checkout. */

function postcode_gateway_enqueue(): void
{
    if (is_checkout() && get_option('postcode_gateway_url', '') !== '') {
        $script = plugins_url('postcode-widget.js', __FILE__);
        wp_enqueue_script('postcode-widget', $script, [], '0.1.0', ['strategy' => 'defer']);
    }
}

/**
 * The field of the classic checkout. Without scripts, it is a plain input. WooCommerce sends the form by jQuery, which leaves
 * out custom elements, so the widget fills hidden fields. They come first: PHP takes the last value of a name.
 */
function postcode_gateway_field(): void
{
    $url = get_option('postcode_gateway_url', '');
    if ($url === '') {
        return;
    }
    $key = get_option('postcode_gateway_publishable_key', '');
    $fill = 'address:#billing_address_1 subpremise:#billing_address_2 state:#billing_state lga:#billing_city';
    foreach (['code' => '', 'status' => '-status', 'text' => '-text'] as $name => $suffix) {
        $id = POSTCODE_GATEWAY_FIELD . "_$name";
        printf('<input type="hidden" id="%s" name="%s">', esc_attr($id), esc_attr(POSTCODE_GATEWAY_FIELD . $suffix));
        $fill .= " $name:#$id";
    }
    printf(
        '<p class="form-row form-row-wide" id="%1$s_field"><label for="%1$s">%2$s</label>'
        . '<postcode-picker gateway="%3$s"%4$s fill="%5$s">'
        . '<input type="text" class="input-text" id="%1$s" name="%1$s" autocomplete="off" maxlength="64"></postcode-picker></p>',
        esc_attr(POSTCODE_GATEWAY_FIELD),
        esc_html__('Postcode', 'postcode-gateway'),
        esc_url($url),
        $key === '' ? '' : ' publishable-key="' . esc_attr($key) . '"',
        esc_attr($fill)
    );
}

/**
 * WooCommerce has checked the nonce of the checkout before this. Nothing here can refuse an order. The widget sends a status,
 * and, where there is no whole postcode, the address that the customer typed.
 */
function postcode_gateway_take(WC_Order $order): void
{
    $meta = ['code' => POSTCODE_GATEWAY_FIELD, 'text' => POSTCODE_GATEWAY_FIELD . '-text'];
    $status = $_POST[POSTCODE_GATEWAY_FIELD . '-status'] ?? '';
    if (in_array($status, POSTCODE_GATEWAY_DESCRIBED, true)) {
        $order->update_meta_data('_postcode_gateway_status', $status);
    }
    foreach ($meta as $name => $field) {
        $value = $_POST[$field] ?? '';
        $value = is_string($value) ? mb_substr(sanitize_text_field(wp_unslash($value)), 0, 200) : '';
        if ($value !== '') {
            $order->update_meta_data("_postcode_gateway_$name", $value);
        }
    }
}

/* The block checkout has no place for the widget: it gets a plain field, and the same check. */

function postcode_gateway_register_block_field(): void
{
    if (function_exists('woocommerce_register_additional_checkout_field')) {
        woocommerce_register_additional_checkout_field([
            'id' => 'postcode-gateway/code',
            'label' => __('Postcode', 'postcode-gateway'),
            'optionalLabel' => __('Postcode (optional)', 'postcode-gateway'),
            'location' => 'order',
            'type' => 'text',
            'required' => false,
            'sanitize_callback' => static fn ($value) => mb_substr(sanitize_text_field((string) $value), 0, 200),
        ]);
    }
}

function postcode_gateway_take_from_block(WC_Order $order): void
{
    $code = $order->get_meta('_wc_other/postcode-gateway/code');
    if (is_string($code) && $code !== '') {
        $order->update_meta_data('_postcode_gateway_code', $code);
        $order->save();
        postcode_gateway_schedule($order->get_id());
    }
}

/* The check, after the order is placed. */

/** WP-Cron runs the check in a request of its own, so that no customer waits for the service. */
function postcode_gateway_schedule(int $order_id): void
{
    wp_schedule_single_event(time(), 'postcode_gateway_check_order', [$order_id, 0]);
}

/**
 * Checks the postcode of an order, and stores the result in the order. While the service cannot be reached, it tries again
 * later, up to five times.
 */
function postcode_gateway_check_order(int $order_id, int $attempt = 0): void
{
    $order = wc_get_order($order_id);
    $code = $order ? $order->get_meta('_postcode_gateway_code') : '';
    if (!is_string($code) || $code === '' || in_array($order->get_meta('_postcode_gateway_status'), POSTCODE_GATEWAY_DESCRIBED, true)) {
        return;
    }
    $found = postcode_gateway_check($code);
    $order->update_meta_data('_postcode_gateway_status', $found['status']);
    $order->update_meta_data('_postcode_gateway_message', $found['message']);
    if (isset($found['postcode'])) {
        $order->update_meta_data('_postcode_gateway_code', $found['postcode']);
    }
    $order->save();
    if ($found['status'] === 'unchecked') {
        if (isset(POSTCODE_GATEWAY_PAUSES[$attempt])) {
            $due = time() + POSTCODE_GATEWAY_PAUSES[$attempt];
            wp_schedule_single_event($due, 'postcode_gateway_check_order', [$order_id, $attempt + 1]);
        }
    } elseif ($found['status'] !== 'valid') {
        $order->add_order_note(esc_html($found['message']));
    }
}

/**
 * Looks up a postcode. This is level 1: free, also with a key.
 *
 * @return array{status: string, message: string, postcode?: string} status is valid, retired, not_found, malformed, or
 *   unchecked if the service did not answer
 */
function postcode_gateway_check(string $code): array
{
    $url = get_option('postcode_gateway_url', '');
    if ($url === '') {
        return ['status' => 'unchecked', 'message' => __('The address of the service is not set.', 'postcode-gateway')];
    }
    $key = defined('POSTCODE_GATEWAY_KEY') ? POSTCODE_GATEWAY_KEY : get_option('postcode_gateway_secret_key', '');
    $response = wp_remote_get($url . '/v1/lookup?' . http_build_query(['code' => $code]), [
        'timeout' => 5,
        'redirection' => 0,
        'limit_response_size' => 65536,
        'headers' => $key === '' ? [] : ['X-API-Key' => $key],
    ]);
    $status = is_wp_error($response) ? 0 : (int) wp_remote_retrieve_response_code($response);
    $answer = $status === 0 ? null : json_decode(wp_remote_retrieve_body($response), true);
    $data = is_array($answer) ? $answer['data'] ?? null : null;
    $error = is_array($answer) ? $answer['error'] ?? null : null;
    if ($status === 200 && is_string($data['status'] ?? null) && is_string($data['postcode'] ?? null)) {
        return postcode_gateway_result($data);
    }
    if ($status === 400 && ($error['code'] ?? '') === 'invalid_parameter' && is_string($error['message'] ?? null)) {
        /* translators: %s: what is wrong with the postcode */
        $message = sprintf(__('The postcode is wrong. %s', 'postcode-gateway'), $error['message']);
        return ['status' => 'malformed', 'message' => sanitize_text_field($message)];
    }
    $refusal = is_string($error['code'] ?? null) ? $error['code'] : 'no answer of the service';
    $reason = is_wp_error($response) ? $response->get_error_message() : "$status $refusal";
    /* translators: %s: why there is no answer */
    $message = sprintf(__('The postcode was not checked: %s', 'postcode-gateway'), $reason);
    return ['status' => 'unchecked', 'message' => mb_substr(sanitize_text_field($message), 0, 300)];
}

/** A result in words for the shop. */
function postcode_gateway_result(array $data): array
{
    $postcode = sanitize_text_field($data['postcode']);
    $next = is_string($data['replaced_by'] ?? null) ? sanitize_text_field($data['replaced_by']) : null;
    switch ($data['status']) {
        case 'valid':
            return ['status' => 'valid', 'postcode' => $postcode, 'message' => __('The postcode exists.', 'postcode-gateway')];
        case 'retired':
            /* translators: %s: another postcode */
            $now = $next === null ? '' : ' ' . sprintf(__('It is now %s.', 'postcode-gateway'), $next);
            $message = __('The postcode is no longer in use.', 'postcode-gateway') . $now;
            return ['status' => 'retired', 'postcode' => $postcode, 'message' => $message];
        default:
            $message = __('The postcode does not exist. Ask the customer.', 'postcode-gateway');
            return ['status' => 'not_found', 'postcode' => $postcode, 'message' => $message];
    }
}

/** On the page of an order, below the billing address. */
function postcode_gateway_show(WC_Order $order): void
{
    $lines = [];
    foreach (['code', 'text', 'message'] as $name) {
        $lines[] = esc_html((string) $order->get_meta("_postcode_gateway_$name"));
    }
    $lines = array_filter($lines, static fn ($line) => $line !== '');
    if ($lines !== []) {
        echo '<p><strong>', esc_html__('Postcode', 'postcode-gateway'), '</strong><br>', implode('<br>', $lines), '</p>';
    }
}

/* Settings. */

function postcode_gateway_menu(): void
{
    $title = __('Postcode Gateway', 'postcode-gateway');
    add_options_page($title, $title, 'manage_options', 'postcode-gateway', 'postcode_gateway_page');
}

/** The label, what is expected, and the form of each setting. */
function postcode_gateway_fields(): array
{
    return [
        'postcode_gateway_url' => [
            __('Address of the service', 'postcode-gateway'),
            __('https://…, without a path', 'postcode-gateway'),
            '#^(https://[a-z0-9.-]+|http://(localhost|127\.0\.0\.1))(:\d{1,5})?$#i',
        ],
        'postcode_gateway_publishable_key' => [
            __('Publishable key, for addresses at the checkout', 'postcode-gateway'),
            __('svc_pk_…, with the origin of this shop', 'postcode-gateway'),
            '/^svc_pk_\w{38}$/',
        ],
        'postcode_gateway_secret_key' => [
            __('Secret key, for the check after the order', 'postcode-gateway'),
            __('svc_live_… or svc_test_…; better POSTCODE_GATEWAY_KEY in wp-config.php', 'postcode-gateway'),
            '/^svc_(live|test)_\w{38}$/',
        ],
    ];
}

function postcode_gateway_settings(): void
{
    add_settings_section('postcode_gateway', '', '__return_empty_string', 'postcode-gateway');
    foreach (postcode_gateway_fields() as $name => [$label, $expected, $pattern]) {
        $sanitize = static function ($value) use ($name, $label, $expected, $pattern) {
            $value = is_string($value) ? rtrim(trim($value), '/') : '';
            if ($value === '' && $name === 'postcode_gateway_secret_key' && empty($_POST['postcode_gateway_forget_key'])) {
                return get_option($name, ''); // It is never shown, so an empty field keeps it.
            }
            if ($value === '' || preg_match($pattern, $value)) {
                return $value;
            }
            /* translators: 1: a setting, 2: its form */
            $message = sprintf(__('%1$s: expected %2$s', 'postcode-gateway'), $label, $expected);
            add_settings_error($name, $name, $message);
            return get_option($name, '');
        };
        register_setting('postcode_gateway', $name, ['type' => 'string', 'sanitize_callback' => $sanitize, 'default' => '']);
        add_settings_field($name, esc_html($label), 'postcode_gateway_input', 'postcode-gateway', 'postcode_gateway', [
            'label_for' => $name,
            'expected' => $expected,
        ]);
    }
}

/** The secret key is never in the page. */
function postcode_gateway_input(array $args): void
{
    $isSecret = $args['label_for'] === 'postcode_gateway_secret_key';
    printf(
        '<input class="regular-text code" autocomplete="off" type="%s" id="%2$s" name="%2$s" value="%3$s"><p class="description">%4$s</p>',
        $isSecret ? 'password' : 'text',
        esc_attr($args['label_for']),
        $isSecret ? '' : esc_attr(get_option($args['label_for'], '')),
        esc_html($args['expected'])
    );
    if ($isSecret && get_option('postcode_gateway_secret_key', '') !== '') {
        $forget = esc_html__('A key is stored. Forget it', 'postcode-gateway');
        echo '<label><input type="checkbox" name="postcode_gateway_forget_key" value="1"> ', $forget, '</label>';
    }
}

/** settings_fields() prints the nonce, which options.php checks with the capability manage_options. */
function postcode_gateway_page(): void
{
    if (!current_user_can('manage_options')) {
        return;
    }
    echo '<div class="wrap"><h1>', esc_html__('Postcode Gateway', 'postcode-gateway'), '</h1><form method="post" action="options.php">';
    settings_fields('postcode_gateway');
    do_settings_sections('postcode-gateway');
    submit_button();
    echo '</form></div>';
}
